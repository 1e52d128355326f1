// @vitest-environment happy-dom

import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Member } from '#contract/farm/members/members';
import type { AccountEmail } from '#contract/people/auth/auth';
import { UnreachableBanner } from '../../app/frame/OwnBanners.tsx';
import { MembersPart, UnreachableMembers } from '../../farm/members/MembersPart.tsx';
import {
  AccountEmail as AccountEmailPart,
  UnreachableEmail,
} from '../../people/auth/security/AccountEmail.tsx';
import { aUser, stubNetwork } from '../../platform/testing/network.ts';
import { beginAs, one, open, sent } from '../testing/page.tsx';

// What somebody reads whose address a mail server refuses, and the people of their farm.

const me = { ...aUser('farmer'), isEmailUnreachable: true as const };
beginAs(me);

const REPLY = '550 5.1.1 <[email]>: User unknown';
const unreachable = { since: '2026-11-26T10:00:00.000Z', reply: REPLY };

describe('the person', () => {
  it.each([
    ['farmer', '/profile'],
    ['consumer', '/profile'],
    ['admin', '/admin/security'],
  ] as const)('who is a %s is led from every page to where it is corrected', (role, href) => {
    open(<UnreachableBanner user={{ ...me, role }} />);
    const banner = within(screen.getByRole('region', { name: 'Your email' }));
    expect(banner.getByText(/We can't reach farmer@farmgate\.test/)).toBeDefined();
    expect(banner.getByRole('link', { name: 'correct it' }).getAttribute('href')).toBe(href);
  });

  const openEmail = (email: AccountEmail) => {
    const calls = stubNetwork({
      'GET /auth/email': one(email),
      'POST /auth/verification': { status: 200, body: { success: true } },
    });
    open(
      <>
        <UnreachableEmail />
        <AccountEmailPart email={me.email} />
      </>,
    );
    return calls;
  };

  it('reads why, and changes the address or has it tried again', async () => {
    const calls = openEmail({ email: me.email, isVerified: true, pending: null, unreachable });
    await screen.findByText(`We can't reach ${me.email}`);
    screen.getByText(`The mail server says: ${REPLY}`);
    screen.getByText("Can't be reached");
    expect(screen.queryByText('Confirmed')).toBeNull();
    expect(screen.getAllByRole('button', { name: 'Change email' })).toHaveLength(2);
    await userEvent.click(screen.getByRole('button', { name: 'Send a link' }));
    await screen.findByText(`We try to send a link to ${me.email}.`);
    expect(sent(calls, 'POST')).toHaveLength(1);
  });

  it('reads that the new address is refused', async () => {
    const until = '2026-11-30T10:00:00.000Z';
    const pending = { email: 'new@hill.test', until, isUnreachable: true as const };
    openEmail({ email: me.email, isVerified: true, pending });
    await screen.findByText(/We can't reach new@hill\.test/);
    expect(screen.queryByText(/We sent a link/)).toBeNull();
    screen.getByText('Confirmed');
  });
});

describe('the farm', () => {
  const member = (over: Partial<Member>): Member => ({
    _id: '00000000-0000-4000-8000-000000000010',
    user: { _id: me._id, name: me.name },
    email: me.email,
    role: 'owner',
    alerts: true,
    state: 'active',
    isFounder: true,
    invitedUntil: null,
    ...over,
  });
  const own = member({ isUnreachable: true });
  const packer = member({
    _id: '00000000-0000-4000-8000-000000000011',
    user: { _id: '00000000-0000-4000-8000-000000000012', name: 'Pia' },
    email: 'pia@hill.test',
    role: 'packer',
    isUnreachable: true,
  });
  const invited = member({
    _id: '00000000-0000-4000-8000-000000000013',
    user: null,
    email: 'nobody@hill.test',
    state: 'invited',
    isUnreachable: true,
  });

  it('reads in its settings whom no mail reaches, and what to do', async () => {
    stubNetwork({ 'GET /farm/members': one([own, packer, invited]) });
    open(
      <>
        <UnreachableMembers me={me} />
        <MembersPart me={me} />
      </>,
    );
    await screen.findByText(/We can't reach Pia at pia@hill\.test/);
    screen.getByText(/We can't reach nobody@hill\.test, so the invitation was not delivered/);
    expect(screen.getAllByText("Can't be reached")).toHaveLength(3);
  });

  it('reads nothing of it while everybody is reached', async () => {
    stubNetwork({ 'GET /farm/members': one([member({})]) });
    open(
      <>
        <UnreachableMembers me={me} />
        <MembersPart me={me} />
      </>,
    );
    await screen.findByText(me.email);
    expect(screen.queryByText(/reach/)).toBeNull();
  });
});
