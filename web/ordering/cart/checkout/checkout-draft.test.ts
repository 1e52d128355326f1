// @vitest-environment happy-dom

import { beforeEach, expect, it } from 'vitest';
import { saveDraft } from '../../../platform/offline/drafts.ts';
import { store, userAtom } from '../../../platform/session/session.ts';
import { aUser } from '../../../platform/testing/network.ts';
import {
  type CheckoutDraft,
  clearCheckoutDraft,
  keepCheckoutDraft,
  readCheckoutDraft,
  withoutPastDays,
} from './initial-values.ts';

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

beforeEach(() => {
  localStorage.clear();
  store.set(userAtom, { ...aUser('consumer'), _id: 'ada' });
});

it('keeps what was typed for the same customer at the same farm, until the order is placed', () => {
  keepCheckoutDraft('farm', draft());
  expect(readCheckoutDraft('farm')).toEqual(draft());
  store.set(userAtom, { ...aUser('consumer'), _id: 'bo' });
  expect(readCheckoutDraft('farm')).toBeUndefined();
  store.set(userAtom, { ...aUser('consumer'), _id: 'ada' });
  expect(readCheckoutDraft('other farm')).toBeUndefined();
  clearCheckoutDraft('farm');
  expect(readCheckoutDraft('farm')).toBeUndefined();
});

it('drops days that have passed', () => {
  const pickupDetails = { date: '2020-01-01', time: '10:30', location: 'The barn', slotId: '' };
  const kept = draft({ pickupDetails });
  expect(withoutPastDays(kept, '2020-01-01')).toEqual(kept);
  expect(withoutPastDays(kept, '2020-01-02')).toEqual(
    draft({ pickupDetails: { ...pickupDetails, date: '' } }),
  );
});

it.each([{}, { notes: 1 }, { ...draft(), paymentMethod: 'gold' }])(
  'ignores a stored value that is %j',
  (stored) => {
    saveDraft('checkout:farm', stored);
    expect(readCheckoutDraft('farm')).toBeUndefined();
  },
);
