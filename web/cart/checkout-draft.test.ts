// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  type CheckoutDraft,
  clearCheckoutDraft,
  keepCheckoutDraft,
  readCheckoutDraft,
  withoutPastDays,
} from './checkout-draft.ts';

const draft = (over: Partial<CheckoutDraft> = {}): CheckoutDraft => ({
  orderType: 'delivery',
  pickupDetails: { date: '2090-01-01', time: '10:30', location: 'The barn', slotId: '' },
  deliveryDetails: {
    isAreaConfirmed: false,
    address: { street: '2 Mill Lane', city: 'Putney', state: 'VT', zipCode: '' },
    date: '',
    time: '',
  },
  paymentMethod: 'other',
  notes: 'Two bags, please.',
  ...over,
});

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.unstubAllGlobals());

it('keeps what was typed for the same buyer at the same farm, until the order is placed', () => {
  keepCheckoutDraft('ada', 'farm', draft());
  expect(readCheckoutDraft('ada', 'farm')).toEqual(draft());
  expect(readCheckoutDraft('bo', 'farm')).toBeUndefined();
  expect(readCheckoutDraft('ada', 'other farm')).toBeUndefined();
  clearCheckoutDraft();
  expect(readCheckoutDraft('ada', 'farm')).toBeUndefined();
});

it('drops days that have passed', () => {
  const pickupDetails = { date: '2020-01-01', time: '10:30', location: 'The barn', slotId: '' };
  const kept = draft({ pickupDetails });
  expect(withoutPastDays(kept, '2020-01-01')).toEqual(kept);
  expect(withoutPastDays(kept, '2020-01-02')).toEqual(
    draft({ pickupDetails: { ...pickupDetails, date: '' } }),
  );
});

it.each([
  '{broken',
  'null',
  '{"userId":"ada","farmerId":"farm","draft":{}}',
  '{"userId":"ada","farmerId":"farm","draft":null}',
])('ignores a stored value that is %s', (stored) => {
  sessionStorage.setItem('checkout-draft', stored);
  expect(readCheckoutDraft('ada', 'farm')).toBeUndefined();
});

it('does without where storage is forbidden', () => {
  const forbidden = () => {
    throw new Error('Forbidden');
  };
  vi.stubGlobal('sessionStorage', {
    getItem: forbidden,
    setItem: forbidden,
    removeItem: forbidden,
  });
  keepCheckoutDraft('ada', 'farm', draft());
  expect(readCheckoutDraft('ada', 'farm')).toBeUndefined();
  clearCheckoutDraft();
});
