import type { ComponentProps } from 'react';
import { DEFAULT_TIME_ZONE } from '#contract/constants/time';
import { Select } from '../ui/primitives/Select.tsx';

/** Returns the zones by region, such as Europe, in the order of their names. */
export function zonesByRegion(zones: readonly string[]): Map<string, string[]> {
  const regions = new Map<string, string[]>();
  for (const zone of [...new Set(zones)].sort()) {
    const region = zone.includes('/') ? zone.slice(0, zone.indexOf('/')) : '';
    regions.set(region, [...(regions.get(region) ?? []), zone]);
  }
  return regions;
}

/** Returns a zone's name as people read it: 'America/Argentina/Buenos_Aires' is 'Argentina, Buenos Aires'. */
export const zoneName = (zone: string): string =>
  (zone.includes('/') ? zone.slice(zone.indexOf('/') + 1) : zone)
    .replaceAll('/', ', ')
    .replaceAll('_', ' ');

/** A select of all time zones that the browser knows, and of the one that is `kept` by the farm. */
export function TimeZoneSelect({ kept, ...select }: ComponentProps<'select'> & { kept: string }) {
  const regions = zonesByRegion([DEFAULT_TIME_ZONE, ...Intl.supportedValuesOf('timeZone'), kept]);
  return (
    <Select {...select}>
      {[...regions].map(([region, zones]) => {
        const options = zones.map((zone) => (
          <option key={zone} value={zone}>
            {zoneName(zone)}
          </option>
        ));
        return region === '' ? (
          options
        ) : (
          <optgroup key={region} label={region}>
            {options}
          </optgroup>
        );
      })}
    </Select>
  );
}
