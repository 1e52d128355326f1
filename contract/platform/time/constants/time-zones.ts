import { DEFAULT_TIME_ZONE } from '#contract/platform/time/constants/time';

let supported: ReadonlyMap<string, string> | undefined;

/**
 * Returns the time zone that a name stands for, or undefined for none. The name's case does not matter.
 * Another name of a supported zone, such as `Asia/Kolkata` where the list has `Asia/Calcutta`, is kept as it
 * is given; offsets such as `+05:30` have no summer time and are no zones.
 */
export function findTimeZone(name: string): string | undefined {
  supported ??= new Map(
    [DEFAULT_TIME_ZONE, ...Intl.supportedValuesOf('timeZone')].map((zone) => [
      zone.toLowerCase(),
      zone,
    ]),
  );
  const known = supported.get(name.toLowerCase());
  if (known !== undefined || !/^[a-z_]+(\/[a-z_-]+){1,2}$/i.test(name)) return known;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions();
    const resolved = supported.get(timeZone.toLowerCase());
    return resolved === DEFAULT_TIME_ZONE ? resolved : resolved && name;
  } catch {
    return undefined;
  }
}
