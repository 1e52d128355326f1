import { LocateFixed } from 'lucide-react';
import { useState } from 'react';
import {
  formatPosition,
  POSITION_TEXT_MAX,
  parsePosition,
  toKeptPosition,
} from '#contract/farm/places/constants/positions';
import type { Position } from '#contract/farm/places/places';
import { t } from '#contract/platform/text/constants/texts';
import { Field, Input } from '../../platform/ui/fields/Field.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { askWhere } from './geolocation.ts';
import { directionsLink } from './places.ts';

/** Stands for a text that names no place, so that the form is not sent with it. */
const UNREADABLE: Position = { latitude: Number.NaN, longitude: Number.NaN };

const isSame = (one: Position | null | undefined, other: Position | null | undefined): boolean =>
  one?.latitude === other?.latitude && one?.longitude === other?.longitude;

/**
 * Where a farm or a place is: from a pasted link of a map, degrees, or the device that one stands there with. Takes what
 * `useController` answers for the field `position`.
 */
export function PositionField({
  field: { value, onChange },
  className,
}: {
  field: { value: Position | null | undefined; onChange: (position: Position | null) => void };
  className?: string;
}) {
  // What stands in the field until it says something else than the form has.
  const [typed, setTyped] = useState('');
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isUnreadable = value !== null && value !== undefined && Number.isNaN(value.latitude);
  const read = typed.trim() === '' ? null : parsePosition(typed);
  const text =
    isUnreadable || (read && isSame(read, value)) ? typed : value ? formatPosition(value) : '';

  const change = (next: string) => {
    setProblem(undefined);
    setTyped(next);
    onChange(next.trim() === '' ? null : (parsePosition(next) ?? UNREADABLE));
  };
  const takeHere = async () => {
    setProblem(undefined);
    setAsking(true);
    try {
      onChange(toKeptPosition(await askWhere({ isExact: true })));
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setAsking(false);
    }
  };
  const error = isUnreadable
    ? t(
        "We can't read a place in this. Paste the whole link of Google Maps, OpenStreetMap or Apple Maps, not a short one, or degrees such as {example}.",
        { example: EXAMPLE },
      )
    : problem;
  const map =
    value && !isUnreadable ? directionsLink(formatPosition(value), formatPosition(value)) : '';
  return (
    <div className={className}>
      <Field
        label={t('On the map')}
        hint={t(
          'Paste a link of a map, or degrees. Customers see the way there, and which place is nearest to them.',
        )}
        error={error}
      >
        <div className="flex flex-wrap gap-2">
          <Input
            dir="ltr"
            value={text}
            onChange={(event) => change(event.target.value)}
            // Once it is read, the degrees stand in place of the link.
            onBlur={() => !isUnreadable && setTyped('')}
            placeholder={EXAMPLE}
            maxLength={POSITION_TEXT_MAX}
            autoComplete="off"
            inputMode="text"
            className="w-auto flex-1 basis-48"
          />
          <Button variant="secondary" icon={<LocateFixed />} pending={isAsking} onClick={takeHere}>
            {t("I'm there now")}
          </Button>
        </div>
      </Field>
      {map && (
        <a
          href={map}
          target="_blank"
          rel="noreferrer"
          className="link mt-1 inline-flex min-h-8 items-center text-sm pointer-coarse:min-h-11"
        >
          {t('See it on a map (opens in a new tab)')}
        </a>
      )}
    </div>
  );
}

const EXAMPLE = '33.7294, 73.0386';
