import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { UNSOLICITED_PER_DAY } from '#contract/people/notifications/constants';
import { proveEmails } from '../../testing/mailed-links.ts';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import { hire, linkTo } from '../../testing/staff.ts';

const MARKET_PER_DAY = 60;

let owner: Caller;
const market = closeAfter(
  await startTestMarket({ UNSOLICITED_MAILS_PER_DAY: `${MARKET_PER_DAY}` }),
);
beforeEach(async () => {
  await market.platform.db.limitedMail.deleteMany();
  owner = await market.join('farmer');
  await proveEmails(market, owner);
});

const address = () => `${randomUUID()}@farmgate.test`;
const invite = (as: Caller, email: string, role = 'packer') =>
  market.post('/farm/members', as, { email, role });
const withdraw = (as: Caller, id: string) => market.delete(`/farm/members/${id}`, as);

/** Invites and expects the answer of every invitation. @returns whether it is mailed */
async function isMailed(as: Caller, email: string): Promise<boolean> {
  const { status, body } = await invite(as, email);
  expect([status, body.data?.state]).toEqual([201, 'invited']);
  await market.platform.eventLog.sequence();
  const [last] = await market.platform.db.eventLog.findMany({
    where: { name: 'member.invited' },
    orderBy: { seq: 'desc' },
    take: 1,
  });
  const data = last?.data as { _id: string; isMailed: boolean };
  expect(data._id).toBe(body.data._id);
  return data.isMailed;
}

describe('an invitation is mailed', () => {
  it('of a verified sender alone', async () => {
    const unproven = await market.join('farmer');
    expect(await isMailed(unproven, address())).toBe(false);
    expect(await isMailed(owner, address())).toBe(true);
  });

  it('once a day to an address, however it is spelled, also after it was withdrawn', async () => {
    const name = randomUUID();
    const { body } = await invite(owner, `${name}@farmgate.test`);
    for (const email of [
      `${name}@farmgate.test`,
      `${name.toUpperCase()}@FARMGATE.test`,
      `${name}+harvest@farmgate.test`,
    ]) {
      expect(await isMailed(owner, email)).toBe(false);
    }
    await withdraw(owner, body.data._id);
    expect(await isMailed(owner, `${name}@farmgate.test`)).toBe(false);
    // Yesterday's does not count.
    await market.platform.db.$executeRaw`
      UPDATE limited_mails SET sent_at = sent_at - interval '25 hours'`;
    expect(await isMailed(owner, `${name}@farmgate.test`)).toBe(true);
  });

  it('once a day by all owners of a farm together, and by each for another farm', async () => {
    const second = await hire(market, owner, 'owner');
    await proveEmails(market, second);
    const email = address();
    expect(await isMailed(owner, email)).toBe(true);
    expect(await isMailed(second, email)).toBe(false);
    const other = await market.join('farmer');
    await proveEmails(market, other);
    expect(await isMailed(other, email)).toBe(true);
  });

  it('once a day by somebody who deletes their account and registers again, with + or without', async () => {
    const target = address();
    expect(await isMailed(owner, target)).toBe(true);
    const body = { password: 'password123' };
    expect((await market.call('DELETE', '/users/me', { as: owner, body })).status).toBe(200);
    const register = async (email: string): Promise<Caller> => {
      const input = { name: 'Again', email, role: 'farmer', ...body, acceptsTerms: true };
      const address = { street: '1 Mill Lane', city: 'Ashford', state: 'VT', zipCode: '05001' };
      const answer = await market.call('POST', '/auth/register', {
        body: { ...input, phone: '555-0100', address },
      });
      expect(answer.status).toBe(201);
      const again = { ...owner, id: answer.body.user._id, token: answer.body.token };
      await proveEmails(market, again);
      return again;
    };
    expect(await isMailed(await register(owner.email), target)).toBe(false);
    const other = await register(owner.email.replace('@', '+two@'));
    expect(await isMailed(other, target)).toBe(false);
    expect(await isMailed(other, address())).toBe(true);
  });

  it(`${UNSOLICITED_PER_DAY.sender} times a day, also of many at the same moment`, async () => {
    const emails = Array.from({ length: UNSOLICITED_PER_DAY.sender + 10 }, address);
    const answers = await Promise.all(emails.map((email) => invite(owner, email)));
    expect(answers.map(({ status }) => status)).toEqual(emails.map(() => 201));
    const farmId = owner.id;
    expect(await market.platform.db.limitedMail.count({ where: { farmId } })).toBe(
      UNSOLICITED_PER_DAY.sender,
    );
  });

  it('as often as the market allows, by whomever', async () => {
    await market.platform.db.limitedMail.createMany({
      data: Array.from({ length: MARKET_PER_DAY - 1 }, () => ({
        senderKey: randomUUID(),
        targetKey: randomUUID(),
      })),
    });
    expect(await isMailed(owner, address())).toBe(true);
    const other = await market.join('farmer');
    await proveEmails(market, other);
    expect(await isMailed(other, address())).toBe(false);
  });
});

it('is answered and mailed alike whatever account its address has, and refused for one’s own people alone', async () => {
  const stranger = await market.join('farmer');
  const others = [
    await market.join('consumer'),
    await market.join('admin'),
    stranger,
    await hire(market, stranger, 'packer'),
    { email: address() },
  ];
  const answers = [];
  for (const { email } of others) {
    const { status, body } = await invite(owner, email);
    const { _id, invitedUntil, ...rest } = body.data;
    expect([typeof _id, typeof invitedUntil]).toEqual(['string', 'string']);
    answers.push([status, { ...rest, email: email === rest.email }]);
  }
  const like = { user: null, email: true, role: 'packer', alerts: true, state: 'invited' };
  expect(answers).toEqual(others.map(() => [201, { ...like, isFounder: false }]));
  const farmId = owner.id;
  expect(await market.platform.db.limitedMail.count({ where: { farmId } })).toBe(others.length);
  const own = await hire(market, owner, 'packer');
  for (const email of [own.email.toUpperCase(), owner.email]) {
    const { status, body } = await invite(owner, email);
    expect([status, body.code]).toEqual([409, 'ALREADY_MEMBER']);
  }
});

it('has a new link when another one is mailed; the old one ends then', async () => {
  const email = address();
  const { body } = await invite(owner, email);
  const mailed = await linkTo(market, body.data._id);
  const status = async () => (await market.get(`/invites/${mailed}`)).status;
  expect(await isMailed(owner, email)).toBe(false);
  expect(await status()).toBe(200);
  await market.platform.db.limitedMail.deleteMany();
  expect(await isMailed(owner, email)).toBe(true);
  expect(await status()).toBe(404);
});

describe('an invitation in the app', () => {
  const ownOf = async (as: Caller) => (await market.get('/invites', as)).body.data;
  const read = async (id: string, as?: Caller) => (await market.get(`/invites/${id}`, as)).status;
  const accept = (id: string, as: Caller) => market.post(`/invites/${id}/accept`, as, {});

  /** A farmer who works for no farm. */
  async function free(): Promise<Caller> {
    const farm = await market.join('farmer');
    const packer = await hire(market, farm, 'packer');
    await market.delete(`/farm/members/${packer.memberId}`, packer);
    const { body } = await market.call('POST', '/auth/login', {
      body: { email: packer.email, password: 'password123' },
    });
    return { ...packer, token: body.token };
  }

  it('is found and accepted by anyone who has proved its address, also if it was not mailed', async () => {
    const unproven = await market.join('farmer', 'Ben Owner');
    const invited = await free();
    const { body } = await invite(unproven, invited.email, 'seller');
    const { _id } = body.data;
    expect(await ownOf(invited)).toMatchObject([
      { _id, role: 'seller', farm: { _id: unproven.id }, email: invited.email },
    ]);
    expect(await read(_id, invited)).toBe(200);
    expect((await accept(_id, invited)).status).toBe(200);
    expect((await accept(_id, invited)).status).toBe(404);
    expect(await ownOf(invited)).toEqual([]);
    const farm = await market.get('/farm', invited);
    expect([farm.body.data._id, farm.body.data.role]).toEqual([unproven.id, 'seller']);
  });

  it('is not found by its id without its address, or before that is proved', async () => {
    const unproven = await market.join('consumer');
    const { body } = await invite(owner, unproven.email);
    const { _id } = body.data;
    expect(await ownOf(unproven)).toEqual([]);
    for (const as of [unproven, owner, await free(), undefined]) {
      expect(await read(_id, as)).toBe(404);
    }
    expect((await accept(_id, unproven)).status).toBe(404);
    await proveEmails(market, unproven);
    expect(await ownOf(unproven)).toMatchObject([{ _id, role: 'packer' }]);
    expect(await read(_id, unproven)).toBe(200);
    // A customer is told why they cannot accept; the person who invited them is not.
    expect((await accept(_id, unproven)).status).toBe(403);
    await withdraw(owner, _id);
    expect(await ownOf(unproven)).toEqual([]);
    expect(await read(_id, unproven)).toBe(404);
  });
});

describe('an invitation by a link', () => {
  const inviteByLink = async (as = owner) => {
    const { status, body } = await market.post('/farm/members/link', as, { role: 'packer' });
    expect(status).toBe(201);
    return body.data as { _id: string; url: string };
  };
  const tokenOf = ({ url }: { url: string }) => url.split('/invites/')[1] ?? '';
  const acceptPath = (link: { url: string }) => `/invites/${tokenOf(link)}/accept`;
  const newcomer = () => ({ name: 'Nora Link', email: address(), password: 'password123' });

  it('names no address, mails nothing, and lets one person in, whose email is not proven', async () => {
    const link = await inviteByLink();
    const shown = await market.get(`/invites/${tokenOf(link)}`);
    expect(shown.body.data).toMatchObject({ email: '', role: 'packer' });
    const body = newcomer();
    const joined = await market.post(acceptPath(link), undefined, body);
    expect(joined.status).toBe(200);
    expect(joined.body.user).toMatchObject({ email: body.email, membership: { role: 'packer' } });
    const row = await market.platform.db.user.findUniqueOrThrow({ where: { email: body.email } });
    expect(row.emailVerifiedAt).toBeNull();
    // A second one finds it used.
    expect((await market.post(acceptPath(link), undefined, newcomer())).status).toBe(404);
  });

  it('asks a new account for an email, and one that has an account to sign in', async () => {
    const link = await inviteByLink();
    const { email: _, ...withoutEmail } = newcomer();
    const lacking = await market.post(acceptPath(link), undefined, withoutEmail);
    expect([lacking.status, lacking.body.errors?.[0]?.path]).toEqual([400, 'email']);
    const known = await market.post(acceptPath(link), undefined, {
      ...newcomer(),
      email: owner.email,
    });
    expect([known.status, known.body.code]).toEqual([409, 'EMAIL_TAKEN']);
  });

  it('is one of several, and ends when it is withdrawn', async () => {
    const [first, second] = [await inviteByLink(), await inviteByLink()];
    const list = async () => (await market.get('/farm/members', owner)).body.data;
    expect(await list()).toMatchObject([{ isFounder: true }, { email: '' }, { email: '' }]);
    await withdraw(owner, first._id);
    expect((await market.get(`/invites/${tokenOf(first)}`)).status).toBe(404);
    expect((await market.get(`/invites/${tokenOf(second)}`)).status).toBe(200);
  });
});
