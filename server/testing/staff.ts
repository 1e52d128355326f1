import { randomUUID } from 'node:crypto';
import type { FarmRole } from '#contract/platform/session/constants';
import { hashSecretToken } from '../people/auth/password.ts';
import type { Caller, TestMarket } from './market.ts';

/** Gives an open invitation a link, as the worker that mails it does. @returns its token */
export async function linkTo({ platform }: TestMarket, memberId: string): Promise<string> {
  const token = randomUUID();
  await platform.db.farmMember.update({
    where: { id: memberId },
    data: { tokenHash: hashSecretToken(token) },
  });
  return token;
}

/** Invites somebody to the farm of `owner`, who accepts. */
export async function hire(
  market: TestMarket,
  owner: Caller,
  role: FarmRole,
): Promise<Caller & { memberId: string }> {
  const email = `${randomUUID()}@farmgate.test`;
  const name = `${role} ${email.slice(0, 6)}`;
  const invited = await market.call('POST', '/farm/members', { as: owner, body: { email, role } });
  const memberId: string = invited.body.data._id;
  const accept = async () =>
    market.call('POST', `/invites/${await linkTo(market, memberId)}/accept`, {
      body: { name, password: 'password123' },
    });
  let { status, body } = await accept();
  // A worker that mails its own link at this moment replaces ours, once.
  if (status === 404) ({ status, body } = await accept());
  if (status !== 200) throw new Error(`Accepting failed: ${JSON.stringify(body)}`);
  return { id: body.user._id, token: body.token, role: 'farmer', email, name, memberId };
}
