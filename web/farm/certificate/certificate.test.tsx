// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { farmer } from '../../app/testing/world.ts';
import { beginAs, one, open } from '../../pages/testing/page.tsx';
import { refusal, stubNetwork } from '../../platform/testing/network.ts';
import { CertificateFacts } from './CertificateFacts.tsx';
import { CertificatePart } from './CertificatePart.tsx';

beginAs(farmer);
afterEach(() => setMarket(DEFAULT_MARKET));

const TODAY = dayIn('UTC');
const certificateFor = (days: number) => ({
  image: '/uploads/00000000-0000-4000-8000-000000000001.webp',
  code: 'DE-ÖKO-006',
  validUntil: addDays(TODAY, days),
});
const show = (certificate: ReturnType<typeof certificateFor> | null) =>
  open(<CertificatePart certificate={certificate} timeZone="UTC" pictureField={() => null} />);

it('saves what is entered, and shows a refusal at its field', async () => {
  const path = 'PUT /farm/certificate';
  const answers = [
    refusal(400, 'Invalid', [{ path: 'validUntil', message: 'This day is over.' }]),
    one({ certificate: certificateFor(90), lapsedProducts: 0 }),
  ];
  const calls = stubNetwork({ [path]: () => answers.shift() ?? one({}) });
  show(certificateFor(10));
  const until = screen.getByLabelText(/^Valid until/);
  fireEvent.change(until, { target: { value: addDays(TODAY, 90) } });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('This day is over.');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(2));
  expect(calls.at(-1)?.body).toEqual(certificateFor(90));
});

it('says that an ended one takes the marks away, and removes one only when asked', async () => {
  const calls = stubNetwork({
    'DELETE /farm/certificate': one({ certificate: null, lapsedProducts: 2 }),
  });
  show(certificateFor(-1));
  await screen.findByText(/Your products are no longer marked as organic/);
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect(calls).toEqual([]);
  const dialog = await screen.findByRole('alertdialog');
  await userEvent.click(
    [...dialog.querySelectorAll('button')].find((each) => each.textContent === 'Remove') as Element,
  );
  await waitFor(() => expect(calls).toMatchObject([{ method: 'DELETE' }]));
});

it.each([true, false])('asks for one where the market does: %s', (requiresOrganicCertificate) => {
  setMarket({ ...DEFAULT_MARKET, requiresOrganicCertificate });
  stubNetwork({});
  show(null);
  expect(screen.queryByText(/This market asks for a certificate/) !== null).toBe(
    requiresOrganicCertificate,
  );
  expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull();
});

it.each([
  [0, /^Valid until /],
  [-1, /^It was valid until /],
])('on the page of a farm one that ends in %i days is shown as such', (days, words) => {
  open(<CertificateFacts certificate={certificateFor(days)} timeZone="UTC" />);
  screen.getByText(words);
  screen.getByText('DE-ÖKO-006');
  screen.getByRole('img', { name: 'Picture of the certificate' });
});
