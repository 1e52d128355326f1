import { useQuery } from '@tanstack/react-query';
import type { Address } from '#contract/platform/http/http';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { t } from '#contract/platform/text/constants/texts';
import { Options, Select } from '../../platform/ui/fields/controls.tsx';
import { Field } from '../../platform/ui/fields/Field.tsx';
import { addressesQuery } from './queries.ts';

/** What is chosen where the fields hold none of the addresses. */
const ANOTHER = '';

/**
 * Fills the fields of an address with one of the signed-in person's, the one ordered to last first. Nothing is shown
 * to somebody with fewer than two, whose one address stands in the fields anyway.
 */
export function AddressPicker({
  value,
  onChoose,
}: {
  /** What the fields hold. */
  value: Address;
  onChoose: (address: Address) => void;
}) {
  const { data: addresses = [] } = useQuery(addressesQuery());
  if (addresses.length < 2) return null;
  const chosen = addresses.find(({ address }) => isSame(address, value));
  return (
    <Field label={t('Deliver to')}>
      <Select
        value={chosen?._id ?? ANOTHER}
        onChange={(event) => {
          const next = addresses.find(({ _id }) => _id === event.target.value);
          onChoose(next?.address ?? NO_ADDRESS);
        }}
      >
        <Options
          of={addresses.map(({ _id, label, address }) => [
            _id,
            [label, formatAddress(address)].filter(Boolean).join(': '),
          ])}
        />
        <option value={ANOTHER}>{t('Another address')}</option>
      </Select>
    </Field>
  );
}

const NO_ADDRESS: Address = { street: '', city: '', state: '', zipCode: '' };

const isSame = (one: Address, other: Address): boolean =>
  (['street', 'city', 'state', 'zipCode'] as const).every(
    (part) => one[part] === (other[part] ?? '').trim(),
  );
