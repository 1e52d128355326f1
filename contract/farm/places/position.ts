import { toKeptPosition } from '#contract/farm/places/constants/positions';
import { named } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

const degrees = (most: number, error: () => string) =>
  z.number({ error }).min(-most, { error }).max(most, { error });

/** A point on the earth, in degrees with at most five decimals, which is about a metre. */
export const Position = named('Position', {
  latitude: degrees(90, () => t('A latitude is a number from -90 to 90.')),
  longitude: degrees(180, () => t('A longitude is a number from -180 to 180.')),
});
export type Position = z.infer<typeof Position>;

/** A position as it is written: further decimals are rounded off; null takes it away. */
export const EnteredPosition = Position.transform(toKeptPosition).nullable();
