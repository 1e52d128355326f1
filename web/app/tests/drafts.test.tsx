// @vitest-environment happy-dom
import { readdirSync, readFileSync } from 'node:fs';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ownedKey } from '../../platform/session/owned.ts';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { aToken, stubNetwork } from '../../platform/testing/network.ts';
import { Providers } from '../Providers.tsx';
import { DRAFT_CASES, type DraftCase, ME, profile } from '../testing/draft-cases.tsx';

const NOTE = 'Restored what you had typed.';
const SECRET = 'passwords and codes are never kept';
const SIGNS_IN = 'nobody is signed in, and the next visitor must not see who was here';
/** Why a form keeps nothing, or where that is tested. */
const OTHERS: Record<string, string> = {
  'platform/ui/form/form.tsx': 'draft.test.tsx',
  'platform/ui/dialogs/TextDialog.tsx': 'by its dialogs above',
  'ordering/model/ActionDialog.tsx': 'by its dialogs above',
  'ordering/closing/ClosingDialog.tsx':
    'a reason for orders that are ticked now, kept by ActionDialog',
  'ordering/cart/checkout/CheckoutForm.tsx': 'CheckoutPage.test.tsx and checkout-draft.test.ts',
  'ordering/picklist/pack/ProductRow.tsx':
    'what is typed is done at once, and kept until it is sent',
  'catalogue/products/stock/BulkBar.tsx': 'one number for the rows that are ticked now',
  'catalogue/products/form/DeclarationFields.tsx': 'fields of ProductForm, which keeps them',
  'ordering/lots/LotDialog.tsx': 'a search',
  'farm/members/MembersPart.tsx': 'one address, which is not its own',
  'admin/admin/health/TestMailCard.tsx': "one address, which is one's own to begin with",
  'farm/pause/PauseDialog.tsx': 'a line about a pause that begins now',
  'app/frame/Footer.tsx': 'one address of a visitor',
  'pages/catalogue/ProductsPage.tsx': 'a search, which is in the address of the page',
  'pages/farm/FarmProducts.tsx': 'a search, which is in the address of the page',
  'pages/farm/FarmersPage.tsx': 'a search, which is in the address of the page',
  'money/payment/PaymentPart.tsx': 'details of a bank are never kept',
  'pages/admin/SetupPage.tsx': SECRET,
  'pages/people/DeleteAccountDialog.tsx': SECRET,
  'pages/people/ResetPasswordPage.tsx': SECRET,
  'people/auth/security/AccountSecurity.tsx': SECRET,
  'people/auth/security/AuthenticatorApp.tsx': SECRET,
  'people/auth/security/ChangeEmailDialog.tsx': SECRET,
  'people/auth/security/PasswordDialog.tsx': SECRET,
  'people/notifications/TextMessages.tsx': SECRET,
  'pages/people/ForgotPasswordPage.tsx': SIGNS_IN,
  'pages/people/InvitationPage.tsx': SIGNS_IN,
  'pages/people/RegisterPage.tsx': SIGNS_IN,
  'people/auth/SignInForm.tsx': SIGNS_IN,
};

const keyOfMe = ownedKey(ME._id, 'drafts');
const kept = () => {
  // What waits to be stored.
  window.dispatchEvent(new Event('pagehide'));
  return localStorage.getItem(keyOfMe) ?? '{}';
};

function signIn(id: string): void {
  store.set(tokenAtom, aToken);
  store.set(userAtom, { ...ME, _id: id });
}

beforeEach(() => {
  signIn(ME._id);
  stubNetwork({
    [`GET /users/farmers/${ME._id}`]: {
      status: 200,
      body: { success: true, data: { farmer: ME, profile, products: [] } },
    },
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function open({ view, press, label }: DraftCase) {
  render(<Providers>{view}</Providers>);
  if (press) fireEvent.click(await screen.findByRole('button', { name: press }));
  const [field] = await screen.findAllByLabelText<HTMLInputElement>(label);
  if (!field) throw new Error(`No field ${label}`);
  return field;
}

/** Closes the page as a killed tab does: nothing is removed. */
async function kill(): Promise<void> {
  const stored = kept();
  cleanup();
  await act(async () => undefined);
  localStorage.setItem(keyOfMe, stored);
}

it.each(DRAFT_CASES)(
  'keeps $what over a reload, for its person alone, until discarded',
  async (each) => {
    const { text = 'A few words', isQuiet = false } = each;
    let field = await open(each);
    const before = field.value;
    fireEvent.change(field, { target: { value: text } });
    await waitFor(() => expect(kept()).toContain(text));
    await kill();

    signIn('another');
    field = await open(each);
    await act(async () => undefined);
    expect(field.value).toBe(before);
    expect(screen.queryByText(NOTE)).toBeNull();
    cleanup();

    signIn(ME._id);
    field = await open(each);
    await waitFor(() => expect(field.value).toBe(text));
    if (isQuiet) fireEvent.change(field, { target: { value: '' } });
    else fireEvent.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(field.value).toBe(before));
    expect(kept()).toBe('{}');
  },
);

it('names every form, and why one keeps nothing', () => {
  const files = readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !/\.test\.|testing\//.test(file))
    .filter((file) =>
      /<(Form|form|Textarea|TextDialog)\b|useDialogField\(/.test(
        readFileSync(`web/${file}`, 'utf8'),
      ),
    );
  const named = [...DRAFT_CASES.map(({ file }) => file), ...Object.keys(OTHERS)];
  expect(files.toSorted()).toEqual([...new Set(named)].sort());
});

it('names only forms that keep something', () => {
  for (const { file } of DRAFT_CASES) {
    expect(readFileSync(`web/${file}`, 'utf8'), file).toMatch(
      /draftKey|useDraftText|useDialogText|useDialogField|saveMessageDraft/,
    );
  }
});
