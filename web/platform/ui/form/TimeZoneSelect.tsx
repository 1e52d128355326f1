import type { ComponentProps } from 'react';
import { DEFAULT_TIME_ZONE } from '#contract/platform/time/constants';
import { Select } from '../fields/controls.tsx';

/** Places that many browsers still list by a former name. */
const PRESENT_NAMES: Readonly<Record<string, string>> = {
  Asmera: 'Asmara',
  Calcutta: 'Kolkata',
  Enderbury: 'Kanton',
  Faeroe: 'Faroe',
  Godthab: 'Nuuk',
  Katmandu: 'Kathmandu',
  Kiev: 'Kyiv',
  Ponape: 'Pohnpei',
  Rangoon: 'Yangon',
  Saigon: 'Ho Chi Minh',
  Truk: 'Chuuk',
};

/** Returns a zone's name as people read it: 'America/Argentina/Buenos_Aires' is 'Argentina, Buenos Aires'. */
export function zoneName(zone: string): string {
  const name = zone.slice(zone.indexOf('/') + 1);
  return PRESENT_NAMES[name] ?? name.replaceAll('/', ', ').replaceAll('_', ' ');
}

const regionOf = (zone: string): string =>
  zone.includes('/') ? zone.slice(0, zone.indexOf('/')) : '';

/** Returns zones by region, such as Europe, each place once: by the name that is `kept`, if by any. */
export function zonesByRegion(zones: readonly string[], kept: string): Map<string, string[]> {
  const places = new Map<string, string>();
  for (const zone of [...zones, kept]) places.set(`${regionOf(zone)}/${zoneName(zone)}`, zone);
  const sorted = [...places].sort(([one], [other]) => (one < other ? -1 : 1));
  const regions = new Map<string, string[]>();
  for (const [, zone] of sorted) {
    const region = regionOf(zone);
    regions.set(region, [...(regions.get(region) ?? []), zone]);
  }
  return regions;
}

/** A select of all time zones that the browser knows, and of the one that is `kept` by the farm. */
export function TimeZoneSelect({ kept, ...select }: ComponentProps<'select'> & { kept: string }) {
  const known = [DEFAULT_TIME_ZONE, ...Intl.supportedValuesOf('timeZone')];
  return (
    <Select {...select}>
      {[...zonesByRegion(known, kept)].map(([region, zones]) => {
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
