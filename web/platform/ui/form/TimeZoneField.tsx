import { type ComponentProps, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { ofReader, theReader } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import { DEFAULT_TIME_ZONE } from '#contract/platform/time/constants';
import { cn } from '../cn.ts';
import { Field, type FieldProps, Input } from '../fields/Field.tsx';
import type { AppForm } from './form.tsx';

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

/** A place that stands for a zone, as it is found and shown. */
type Place = {
  zone: string;
  name: string /** Its region, 'Asia'; empty for UTC. */;
  region: string;
};

/** Returns the places of zones by name, each once: by the name that is `kept`, if by any. */
export function placesOf(zones: readonly string[], kept: string): Place[] {
  const places = new Map<string, string>();
  for (const zone of [...zones, kept]) places.set(`${zoneName(zone)}/${regionOf(zone)}`, zone);
  return [...places]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, zone]) => ({ zone, name: zoneName(zone), region: regionOf(zone) }));
}

/** What a zone is called in the reader's language, which often names a country: 'Pakistan Standard Time'. */
const longName = (zone: string): string =>
  new Intl.DateTimeFormat(theReader().language, { timeZone: zone, timeZoneName: 'longGeneric' })
    .formatToParts(0)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

const longNames = ofReader(() => new Map<string, string>());
function longNameOf(zone: string): string {
  const names = longNames();
  const name = names.get(zone) ?? longName(zone);
  names.set(zone, name);
  return name;
}

const plain = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();

const FOUND_MAX = 30;

const POPUP =
  'absolute inset-x-0 top-full z-50 mt-1 rounded border border-hairline bg-raised p-1.5 text-sm shadow-float';

/** Returns the places that a text finds, by their name, region or zone: those that begin with it first. */
export function findPlaces(places: readonly Place[], text: string): Place[] {
  const sought = plain(text);
  const ranked = places.flatMap((place) => {
    const name = plain(place.name);
    if (name.startsWith(sought)) return [{ place, rank: 0 }];
    if (name.includes(sought)) return [{ place, rank: 1 }];
    const others = [place.zone, longNameOf(place.zone)].map(plain);
    return others.some((other) => other.includes(sought)) ? [{ place, rank: 2 }] : [];
  });
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, FOUND_MAX)
    .map(({ place }) => place);
}

/** A field for a time zone, which is found by typing a city, a country or a region. */
export function TimeZoneField<Values extends FieldValues, Output, Name extends FieldPath<Values>>({
  form,
  name,
  kept,
  ...field
}: Omit<FieldProps, 'children' | 'error'> & {
  form: AppForm<Values, Output>;
  name: Name;
  /** The zone that is saved, by whose name its place is listed. */
  kept: string;
}) {
  const { field: control, fieldState } = useController({ control: form.control, name });
  return (
    <Field {...field} error={fieldState.error?.message}>
      <TimeZoneInput {...control} kept={kept} />
    </Field>
  );
}

function TimeZoneInput({
  value,
  onChange,
  onBlur,
  kept,
  ...control
}: Pick<ComponentProps<'input'>, 'name' | 'ref' | 'disabled'> & {
  value: string;
  onChange: (zone: string) => void;
  onBlur: () => void;
  kept: string;
}) {
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const [places] = useState(() =>
    placesOf([DEFAULT_TIME_ZONE, ...Intl.supportedValuesOf('timeZone')], kept),
  );
  /** What is sought; undefined while the field shows what is chosen. */
  const [sought, setSought] = useState<string>();
  const [at, setAt] = useState(0);
  const found = sought === undefined ? [] : findPlaces(places, sought);
  const isOpen = sought !== undefined;
  const optionId = (index: number) => `${listId}-${index}`;
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  const search = (text: string) => {
    setSought(text);
    setAt(0);
  };
  const choose = (place: Place | undefined) => {
    if (place) onChange(place.zone);
    setSought(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!isOpen) return search('');
      setAt((at + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % Math.max(1, found.length));
    } else if (isOpen && (event.key === 'Enter' || event.key === 'Escape')) {
      // Neither sends the form nor closes a dialog around it.
      event.preventDefault();
      event.stopPropagation();
      choose(event.key === 'Enter' ? found[at] : undefined);
    }
  };
  return (
    <span className="relative block">
      <Input
        {...control}
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={found.length > 0 ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={found[at] ? optionId(at) : undefined}
        autoComplete="off"
        spellCheck={false}
        value={sought ?? zoneName(value)}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => search(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          setSought(undefined);
          onBlur();
        }}
      />
      {isOpen && found.length > 0 && (
        <div
          ref={list}
          id={listId}
          role="listbox"
          aria-label={t('Time zone')}
          className={cn(POPUP, 'max-h-72 overflow-y-auto')}
        >
          {found.map((place, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys of its list
            <div
              key={place.zone}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(place)}
              className="cursor-pointer rounded-xs px-3 py-2 hover:bg-sunken aria-selected:bg-leaf-soft aria-selected:text-leaf-ink pointer-coarse:min-h-11"
            >
              <bdi className="block font-medium">{place.name}</bdi>
              <span className="block text-ink-soft">{longNameOf(place.zone)}</span>
            </div>
          ))}
        </div>
      )}
      {isOpen && found.length === 0 && (
        <span role="status" className={cn(POPUP, 'block px-4 text-ink-soft')}>
          {t('No city of this name is listed. Try the largest city near you, or your country.')}
        </span>
      )}
    </span>
  );
}
