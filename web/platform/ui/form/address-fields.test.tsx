// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { DeliveryAddressForm } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { type AddressFormat, DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { ADDRESS_PARTS } from '#contract/platform/text/constants/address-words';
import { AddressFields } from './fields.tsx';
import { Form, useZodForm } from './form.tsx';

afterEach(() => {
  cleanup();
  setMarket(DEFAULT_MARKET);
});

const EMPTY = { street: '', city: '', state: '', zipCode: '' };
const GERMANY: AddressFormat = {
  template: 'street\nzipCode city, state',
  city: 'city',
  state: null,
  zipCode: 'postalCode',
};
const EMIRATES: AddressFormat = {
  template: 'street\ncity, state zipCode',
  city: 'city',
  state: 'emirate',
  zipCode: null,
};
const JAPAN: AddressFormat = {
  template: '〒zipCode\nstate city\nstreet',
  city: 'city',
  state: 'prefecture',
  zipCode: 'postalCode',
};

const Schema = z.object({ address: DeliveryAddressForm });

function Fields({ address, onSent }: { address: typeof EMPTY; onSent: (sent: unknown) => void }) {
  const form = useZodForm(Schema, { defaultValues: { address } });
  return (
    <Form form={form} label="Address" onSubmit={async (input) => onSent(input.address)}>
      <AddressFields form={form} required={ADDRESS_PARTS} />
      <button type="submit">Send</button>
    </Form>
  );
}

/** Opens the fields of an address in a market whose country writes them so. */
function open(addressFormat: AddressFormat, address: Partial<typeof EMPTY> = {}) {
  setMarket({ ...DEFAULT_MARKET, addressFormat });
  const sent: unknown[] = [];
  render(<Fields address={{ ...EMPTY, ...address }} onSent={(input) => sent.push(input)} />);
  return sent;
}
const labels = () =>
  screen
    .getAllByRole('textbox')
    .map((field) => (field as HTMLInputElement).labels?.[0]?.textContent);
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Send' }));

it.each([
  [DEFAULT_MARKET.addressFormat, ['Street *', 'City *', 'Province *', 'Postal code *']],
  [GERMANY, ['Street *', 'Postal code *', 'City *']],
  [EMIRATES, ['Street *', 'City *', 'Emirate *']],
  [JAPAN, ['Postal code *', 'Prefecture *', 'City *', 'Street *']],
])('asks for the parts of %j in its order', (format, expected) => {
  open(format);
  expect(labels()).toEqual(expected);
});

it('refuses what is missing, and takes an address without what the country has not', async () => {
  const sent = open(GERMANY);
  await submit();
  for (const message of ['Street is required', 'Postal code is required', 'City is required']) {
    expect(await screen.findByText(message)).toBeDefined();
  }
  await userEvent.type(screen.getByLabelText('Street *'), 'Hauptstr. 1');
  await userEvent.type(screen.getByLabelText('City *'), 'Berlin');
  await userEvent.type(screen.getByLabelText('Postal code *'), '10115');
  await submit();
  await expect
    .poll(() => sent)
    .toEqual([{ street: 'Hauptstr. 1', city: 'Berlin', state: '', zipCode: '10115' }]);
});

it('shows what an address from before has more, and lets it be emptied', async () => {
  const before = { street: '1 Elm St', city: 'Dover', state: 'VT', zipCode: '05301' };
  const sent = open(EMIRATES, before);
  expect(labels()).toEqual(['Street *', 'City *', 'Emirate *', 'Postcode']);
  await submit();
  await userEvent.clear(screen.getByLabelText('Postcode'));
  expect(screen.getByLabelText('Postcode')).toBeDefined();
  await submit();
  await expect.poll(() => sent).toEqual([before, { ...before, zipCode: '' }]);
});
