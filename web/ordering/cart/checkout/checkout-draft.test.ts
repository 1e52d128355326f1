// @vitest-environment happy-dom

import { expect, it } from 'vitest';
import { saveDraft } from '../../../platform/offline/drafts.ts';
import { initialValues, keepCheckoutDraft, readCheckoutDraft } from './initial-values.ts';

const terms = {
  acceptsPickup: true,
  acceptsDelivery: true,
  pickupLocation: 'The barn',
  days: [],
  keepsDays: false,
  hasCutoff: false,
  timeZone: 'UTC',
};
const address = { street: '2 Mill Lane', city: 'Putney', state: 'VT', zipCode: '' };
const draft = initialValues(terms, address, { draft: undefined, last: undefined });

it('keeps what was typed', () => {
  keepCheckoutDraft('farm', draft);
  expect(readCheckoutDraft('farm')).toEqual(draft);
});

it.each([{}, { notes: 1 }, { ...draft, paymentMethod: 'gold' }])(
  'ignores a stored value that is %j',
  (stored) => {
    saveDraft('checkout:farm', stored);
    expect(readCheckoutDraft('farm')).toBeUndefined();
  },
);
