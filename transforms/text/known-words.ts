/**
 * Words that logferry may show unchanged when it describes somebody's archive. They are words of the field and of file formats, in the
 * languages of exports. None of them is a person's name, a place or a title. A word that can also be a name ("Mark", "May") must stay out.
 */

const WORDS = `
  sample samples stream streams id ids uuid guid key keys name names title type types kind kinds value values version format count total totals
  index number size unit units list lists item items entry entries record records row rows data date dates datetime
  day days week weeks month year hour hours minute minutes second seconds time times timestamp timezone zone offset
  utc local start started begin end ended stop created updated modified deleted duration elapsed moving active rest
  pause paused timer interval intervals lap laps split splits set sets step steps stroke strokes length lengths pool
  distance distances pace paces speed speeds velocity rate rates cadence power watt watts heart heartrate hr bpm pulse
  max min avg average mean median sum calories kcal energy joule joules ascent descent elevation altitude gain loss
  height depth grade slope climb lat latitude lng lon long longitude position positions coordinate coordinates point
  points polyline track tracks trk trkpt trkseg trackpoint route routes rte rtept wpt waypoint waypoints segment
  segments map maps course courses gps gpx tcx fit kml csv json xml xls sml pwx hrm location locations place country
  city address street phone email mail gender sex weight birth birthday birthdate age user users username athlete
  athletes profile profiles account accounts owner member members friend friends follower followers following activity
  activities workout workouts training trainings session sessions exercise exercises event events sport sports sub
  category categories tag tags label labels note notes comment comments description text message messages body subject
  feeling effort rpe rating score level intensity load stress recovery vo hrv sleep zones goal goals plan plans
  planned gear equipment shoe shoes bike bikes device devices sensor sensors watch model brand maker manufacturer
  product serial software firmware hardware app apps application source origin creator author provider platform
  service client server status state flag flags enabled visible visibility private public is has no file files
  filename folder path paths url urls link links href src image images photo photos video videos media avatar icon
  color colour language locale currency setting settings preference preferences config option options metadata meta
  attribute attributes property properties field fields column columns schema summary summarized detail details
  statistic statistics stats info report reports history archive archives export exports import imports upload uploads
  uploaded download downloads backup part parts page pages next previous first last original raw temp temperature
  weather wind humidity pressure air water sea left right balance torque ground contact vertical oscillation stance
  ratio respiration oxygen km kilometer kilometers kilometre kilometres mi mile miles meter meters metre metres feet
  foot yards celsius fahrenheit kg lbs percent ns tpx lx extension extensions trainingcenterdatabase gpxtpx document
  placemark multigeometry linestring features feature geometry root response request result results error errors code
  codes di connect connectuser garmin strava polar suunto coros wahoo fitbit google apple health takeout runkeeper
  endomondo adidas runtastic nike mapmyrun samsung huawei zepp amazfit decathlon komoot zwift trainingpeaks peaksware
  finalsurge sporttracks xl worksheets sheet sheets workbook styles theme sharedstrings docprops rels content clubs
  club challenges challenge contacts flares favorites posts reactions messaging memberships datum daten zeit uhrzeit
  dauer strecke distanz entfernung geschwindigkeit tempo puls herzfrequenz kalorien hohe aufstieg abstieg sportart
  aktivitat aktivitaten aktivitatstyp bemerkung bemerkungen notiz notizen titel bezeichnung gewicht ort wetter schuh
  schuhe rad durchschnitt maximal minimal gesamt anzahl beginn ende runde runden leistung trittfrequenz jour heure
  temps duree allure vitesse frequence cardiaque fc denivele titre nom remarque remarques poids lieu meteo chaussure
  velo fecha hora tiempo duracion distancia ritmo velocidad frecuencia cardiaca calorias desnivel titulo nombre notas
  peso lugar deporte actividad actividades ora durata distanza passo velocita frequenza calorie dislivello titolo nome
  luogo attivita tijd duur afstand snelheid hartslag opmerking plaats tid varaktighet hastighet anteckning dato
  varighet avstand notat distans czas dystans predkosc tetno notatka dzien cas vzdalenost poznamka дата время
  длительность дистанция расстояние темп скорость пульс калории название 日付 日時 時間 距離 ペース 速度 心拍 心拍数 カロリー 種目 日期 时间 距离 配速
  心率 날짜 시간 거리
`;

const KNOWN: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));

/** Whether a word may be shown. Case and accents don't matter. */
export function isKnownWord(word: string): boolean {
  return (
    KNOWN.has(
      word
        .normalize("NFD")
        .replace(/[\u0300-\u036f]/g, "")
        .toLowerCase(),
    ) || KNOWN.has(word.toLowerCase())
  );
}

/** File name endings that may be shown. */
const EXTENSIONS: ReadonlySet<string> = new Set(
  `fit gpx tcx kml kmz csv tsv tab txt json ndjson jsonl geojson xml html htm xls xlsx ods zip gz bz2 xz tar tgz 7z rar pdf png jpg jpeg gif webp heic svg
  mp4 mov avi mp3 wav db sqlite sqlite3 sml pwx hrm srm wko omh bin dat log md yaml yml ics vcf eml rtf doc docx plist ini cfg conf
  slf smf crs act hst ppt pptx parquet avro proto pb xsd css js map rels erg mrc zwo ttbin gpi adm g11 lst bak tmp`.split(
    /\s+/,
  ),
);

/** Whether a file name ending, without its dot, belongs to a format. */
export function isKnownExtension(extension: string): boolean {
  return EXTENSIONS.has(extension.toLowerCase());
}
