/** The names of the options that the config file and the environment may give. */
import { kebab, OPTIONS, type OptionName } from "./options.ts";

/** Every option but those that can only be flags. */
export function configNames(): OptionName[] {
  return (Object.keys(OPTIONS) as OptionName[]).filter((name) => !("flagOnly" in OPTIONS[name]));
}

/** Whether a key names an option that can only be a flag. */
export function isFlagOnly(key: string): boolean {
  return (Object.keys(OPTIONS) as OptionName[]).some((name) => kebab(name) === key && "flagOnly" in OPTIONS[name]);
}
