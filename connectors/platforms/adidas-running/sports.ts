/**
 * The numbers of sports. Source: the table in the PDF of an export, by schnatterer/Runtastic2FitoTrack, RuntasticSportType.java. Number 114 stands
 * for two sports there, and number 115 is missing. For both, logferry asks for the sport.
 */
const SPORTS: Readonly<Record<string, string>> = {
  ...{ 1: "running", 2: "nordic walking", 3: "cycling", 4: "MTB", 5: "other", 6: "inline", 7: "hiking" },
  ...{ 8: "XC skiing", 9: "skiing", 10: "snowboard", 11: "motorbike", 13: "snowshoe", 14: "treadmill" },
  ...{ 15: "ergometer", 16: "elliptical", 17: "rowing", 18: "swimming", 19: "walking", 20: "riding", 21: "golf" },
  ...{ 22: "race cycling", 23: "tennis", 24: "badminton", 25: "squash", 26: "yoga", 27: "aerobics" },
  ...{ 28: "martial arts", 29: "sailing", 30: "windsurf", 31: "pilates", 32: "climbing", 33: "frisbee" },
  ...{ 34: "strength", 35: "volleyball", 36: "handbike", 37: "cross skating", 38: "soccer", 42: "surfing" },
  ...{ 43: "kitesurf", 44: "kayak", 45: "basketball", 46: "spinning", 47: "paragliding", 48: "wakeboard" },
  ...{ 50: "diving", 51: "table tennis", 52: "handball", 53: "backcountry ski", 54: "ice skating", 55: "sledding" },
  ...{ 58: "curling", 60: "biathlon", 61: "kite ski", 62: "speed ski", 63: "push-ups", 64: "sit-ups" },
  ...{ 65: "pull-ups", 66: "squats", 67: "am. football", 68: "baseball", 69: "crossfit", 70: "dancing" },
  ...{ 71: "ice hockey", 72: "skateboard", 73: "zumba", 74: "gymnastics", 75: "rugby", 76: "SUP", 77: "sixpack" },
  ...{ 78: "butt training", 80: "leg training", 81: "results workout", 82: "trail running", 84: "plogging" },
  ...{ 85: "wheelchair", 86: "e-bike", 87: "scooter", 88: "rowing machine", 89: "stairs", 90: "jump rope" },
  ...{ 91: "trampoline", 92: "bodyweight", 93: "tabata", 94: "callisthenics", 95: "suspension" },
  ...{ 96: "powerlifting", 97: "olympic lifting", 98: "stretching", 99: "meditation", 100: "bouldering" },
  ...{ 101: "via ferrata", 102: "padel", 103: "pole dance", 104: "boxing", 105: "cricket", 106: "field hockey" },
  ...{ 107: "track & field", 108: "fencing", 109: "skydiving", 111: "cheerleading or e-sports", 113: "lacrosse" },
  ...{ 114: "beach volleyball or virtual running", 116: "virtual cycling" },
};

/** The name of a sport. The table of all platforms has other meanings for some of these numbers, so a bare number is never passed on. */
export function sportOf(number: string): string {
  return (Object.hasOwn(SPORTS, number) && SPORTS[number]) || `adidas Running sport ${number}`;
}
