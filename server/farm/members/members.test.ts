import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { MEMBERS_MAX } from '#contract/farm/members/constants';
import { FARM_PERMISSIONS, FARM_ROLES, type FarmRole } from '#contract/platform/session/constants';
import { until } from '../../../testing/until.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';
import { hire, linkTo } from '../../testing/staff.ts';

let owner: Caller;
let product: string;

const market = closeAfter(await startTestMarket());
const consumer = await market.join('consumer');
const stranger = await market.join('farmer');
beforeEach(async () => {
  owner = await market.join('farmer', 'Ann Owner');
  const category = await makeCategory(market.platform);
  const created = await market.post(
    '/products',
    owner,
    productInput(category, { quantityAvailable: 500 }),
  );
  product = created.body.data._id;
});

const address = () => `${randomUUID()}@farmgate.test`;
const invite = (as: Caller, email: string, role: string = 'packer') =>
  market.post('/farm/members', as, { email, role });
const accept = (token: string, body: object = { name: 'Ben', password: 'password123' }) =>
  market.call('POST', `/invites/${token}/accept`, { body });
const members = async (as: Caller) =>
  (await market.get('/farm/members', as)).body.data as {
    _id: string;
    role: FarmRole;
    state: string;
    user: { name: string } | null;
    email: string;
    isFounder: boolean;
  }[];
const order = async () =>
  (await market.post('/orders', consumer, orderInput(owner.id, [{ product, quantity: 1 }]))).body
    .data._id as string;
const move = (as: Caller, id: string, status: string) =>
  market.put(`/orders/${id}`, as, { status });

it('shows its single farmer that they own the farm', async () => {
  const { status, body } = await market.get('/farm', owner);
  expect([status, body.data.role, body.data._id]).toEqual([200, 'owner', owner.id]);
  expect(body.data.permissions).toEqual(FARM_PERMISSIONS.owner);
  expect(body.data.timeZone).toBe('UTC');
  expect(await members(owner)).toMatchObject([
    { role: 'owner', state: 'active', user: { name: 'Ann Owner' }, isFounder: true },
  ]);
});

describe('an invitation', () => {
  it('is accepted once, with a new account, and says before which farm it is', async () => {
    const email = address().toUpperCase();
    const invited = await invite(owner, `  ${email} `, 'manager');
    expect(invited.status).toBe(201);
    expect(invited.body.data).toMatchObject({
      email: email.toLowerCase(),
      state: 'invited',
      user: null,
    });
    const token = await linkTo(market, invited.body.data._id);
    const offer = await market.get(`/invites/${token}`);
    expect(offer.body.data).toMatchObject({ role: 'manager', email: email.toLowerCase() });
    expect(offer.body.data.farm._id).toBe(owner.id);

    const answers = await Promise.all([accept(token), accept(token), accept(token)]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 404, 409]).toContain(status);
    expect((await accept(token)).status).toBe(404);
    expect((await market.get(`/invites/${token}`)).status).toBe(404);
    expect((await members(owner)).map(({ role, state }) => [role, state])).toEqual([
      ['owner', 'active'],
      ['manager', 'active'],
    ]);
  });

  it('is refused without a name or a password, and stays open', async () => {
    const { body } = await invite(owner, address());
    const token = await linkTo(market, body.data._id);
    const refused = await accept(token, { name: 'Ben' });
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toEqual([{ path: 'password', message: 'Password is required' }]);
    expect((await accept(token)).status).toBe(200);
  });

  it('has the last role when it is repeated; the link that was mailed goes on, as no other is', async () => {
    const email = address();
    const first = await invite(owner, email, 'packer');
    const mailed = await linkTo(market, first.body.data._id);
    const second = await invite(owner, email, 'seller');
    expect(second.body.data).toMatchObject({ _id: first.body.data._id, role: 'seller' });
    expect(await members(owner)).toHaveLength(2);
    expect((await accept(mailed)).status).toBe(200);
    expect((await members(owner)).map(({ role }) => role)).toEqual(['owner', 'seller']);
  });

  it('ends when it is withdrawn, and when its time is over', async () => {
    const withdrawn = (await invite(owner, address())).body.data._id;
    const token = await linkTo(market, withdrawn);
    const removed = await market.delete(`/farm/members/${withdrawn}`, owner);
    expect(removed.status).toBe(200);
    expect((await accept(token)).status).toBe(404);

    const late = (await invite(owner, address())).body.data._id;
    const lateToken = await linkTo(market, late);
    await market.platform.db.farmMember.update({
      where: { id: late },
      data: { inviteExpiresAt: new Date(Date.now() - 1) },
    });
    expect((await market.get(`/invites/${lateToken}`)).status).toBe(404);
    expect((await accept(lateToken)).status).toBe(404);
  });

  it('is accepted signed in by somebody who left another farm', async () => {
    const packer = await hire(market, stranger, 'packer');
    await market.delete(`/farm/members/${packer.memberId}`, packer);
    const again = await market.call('POST', '/auth/login', {
      body: { email: packer.email, password: 'password123' },
    });
    const as = { ...packer, token: again.body.token as string };
    expect((await market.get('/farm', as)).status).toBe(403);

    const { body } = await invite(owner, packer.email, 'seller');
    const token = await linkTo(market, body.data._id);
    expect((await accept(token)).body.code).toBe('EMAIL_TAKEN');
    const joined = await market.post(`/invites/${token}/accept`, as, {});
    expect(joined.status).toBe(200);
    const farm = await market.get('/farm', as);
    expect([farm.body.data._id, farm.body.data.role]).toEqual([owner.id, 'seller']);
  });

  it('is refused for the address by which somebody joined with another account', async () => {
    const packer = await hire(market, stranger, 'packer');
    await market.delete(`/farm/members/${packer.memberId}`, packer);
    const signIn = { email: packer.email, password: 'password123' };
    const again = await market.call('POST', '/auth/login', { body: signIn });
    const as = { ...packer, token: again.body.token as string };
    const other = address();
    const { body } = await invite(owner, other, 'seller');
    const token = await linkTo(market, body.data._id);
    await market.post(`/invites/${token}/accept`, as, {});

    const refused = await invite(owner, other, 'owner');
    expect([refused.status, refused.body.code]).toEqual([409, 'ALREADY_MEMBER']);
    const farm = await market.get('/farm', as);
    expect(farm.body.data.role).toBe('seller');
  });

  it('is not accepted by a signed-in customer, nor by the owner of another farm', async () => {
    const { body } = await invite(owner, address());
    const token = await linkTo(market, body.data._id);
    const as = (who: Caller) => market.post(`/invites/${token}/accept`, who, {});
    expect((await as(consumer)).status).toBe(403);
    const elsewhere = await as(stranger);
    expect([elsewhere.status, elsewhere.body.message]).toEqual([
      409,
      'You work for another farm. Leave it first, or sign out to accept with a new account.',
    ]);
    const here = await as(owner);
    expect([here.status, here.body.message]).toEqual([409, 'You work for this farm already.']);
    expect((await accept(token)).status).toBe(200);
  });

  it('of two farms at once is accepted for one of them', async () => {
    const packer = await hire(market, stranger, 'packer');
    await market.delete(`/farm/members/${packer.memberId}`, packer);
    const signIn = { email: packer.email, password: 'password123' };
    const again = await market.call('POST', '/auth/login', { body: signIn });
    const as = { ...packer, token: again.body.token as string };
    const tokens: string[] = [];
    for (const farm of [owner, stranger]) {
      const { body } = await invite(farm, packer.email);
      tokens.push(await linkTo(market, body.data._id));
    }
    const answers = await Promise.all(
      tokens.map((token) => market.post(`/invites/${token}/accept`, as, {})),
    );
    expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([
      200,
      'HAS_OTHER_FARM',
    ]);
  });

  it('is limited to so many people for a farm', async () => {
    await market.platform.db.farmMember.createMany({
      data: Array.from({ length: MEMBERS_MAX - 1 }, () => ({
        farmId: owner.id,
        email: address(),
        role: 'packer' as const,
      })),
    });
    const { status, body } = await invite(owner, address());
    expect([status, body.code]).toEqual([409, 'MEMBER_LIMIT_REACHED']);
    // Anyone who is invited already can be sent another link.
    const invited = (await members(owner)).find(({ state }) => state === 'invited');
    const again = await invite(owner, invited?.email.toUpperCase() ?? '', 'seller');
    expect(again.body.data).toMatchObject({ _id: invited?._id, role: 'seller', state: 'invited' });
    expect((await members(owner)).length).toBe(MEMBERS_MAX);
  });
});

describe('what members may do', () => {
  it('is what their role says: orders', async () => {
    for (const role of FARM_ROLES) {
      const member = await hire(market, owner, role);
      const mayAnswer = FARM_PERMISSIONS[role].includes('answerOrders');
      const mayHandOver = FARM_PERMISSIONS[role].includes('handOverOrders');
      const id = await order();
      expect((await market.get(`/orders/${id}`, member)).status).toBe(200);
      expect((await move(member, id, 'accepted')).status).toBe(mayAnswer ? 200 : 403);
      if (!mayAnswer) await move(owner, id, 'accepted');
      expect((await move(member, id, 'completed')).status).toBe(mayHandOver ? 200 : 403);
      const list = await market.get('/orders/farmer', member);
      expect(list.body.data.map(({ _id }: { _id: string }) => _id)).toContain(id);
    }
  });

  it('is what their role says: products, profile, people', async () => {
    for (const role of FARM_ROLES) {
      const member = await hire(market, owner, role);
      const may = (permission: (typeof FARM_PERMISSIONS)[FarmRole][number]) =>
        FARM_PERMISSIONS[role].includes(permission) ? 200 : 403;
      const changed = await market.put(`/products/${product}`, member, { price: 3 });
      expect(changed.status).toBe(may('changeProducts'));
      const profile = await market.put('/users/farmers/profile', member, {
        farmName: 'Green Valley',
        description: 'Good soil.',
      });
      expect(profile.status).toBe(may('changeFarm'));
      const invited = await invite(member, address());
      expect(invited.status).toBe(may('manageMembers') === 200 ? 201 : 403);
      expect(await members(member)).not.toHaveLength(0);
    }
  });

  it('does not reach the orders and products of other farms', async () => {
    const manager = await hire(market, stranger, 'manager');
    const id = await order();
    expect((await market.get(`/orders/${id}`, manager)).status).toBe(404);
    expect((await move(manager, id, 'accepted')).status).toBe(404);
    const changed = await market.put(`/products/${product}`, manager, { price: 1 });
    expect(changed.status).toBe(403);
  });

  it('follows a new role with the next command, and notifies the page', async () => {
    const member = await hire(market, owner, 'packer');
    const socket = await market.connect({ token: member.token });
    const received = new Promise((resolve) =>
      socket.once('member.changed', ({ data }) => resolve(data)),
    );
    const id = await order();
    expect((await move(member, id, 'accepted')).status).toBe(403);
    await market.put(`/farm/members/${member.memberId}`, owner, { role: 'manager' });
    expect(await received).toEqual({ _id: member.memberId });
    expect((await move(member, id, 'accepted')).status).toBe(200);
  });

  it('receives the farm’s order events, and none once removed', async () => {
    const member = await hire(market, owner, 'seller');
    const socket = await market.connect({ token: member.token });
    const received: string[] = [];
    socket.onAny((name: string) => received.push(name));
    await order();
    await until(() => received.includes('order.created'));
    const ended = new Promise((resolve) => socket.once('disconnect', resolve));
    await market.delete(`/farm/members/${member.memberId}`, owner);
    await ended;
    expect((await market.get('/orders/farmer', member)).status).toBe(401);
    await expect(market.connect({ token: member.token })).rejects.toThrow('Unauthorized');
  });
});

describe('a deleted account', () => {
  it('leaves the farm it worked for, and takes its own farm with it', async () => {
    const admin = await market.join('admin');
    const [gone, left] = [
      await hire(market, owner, 'manager'),
      await hire(market, owner, 'packer'),
    ];
    await market.delete(`/users/${gone.id}`, admin);
    expect((await members(owner)).map(({ user }) => user?.name)).toEqual(['Ann Owner', left.name]);
    const socket = await market.connect({ token: left.token });
    const closed = new Promise((resolve) => socket.once('disconnect', resolve));
    await market.delete(`/users/${owner.id}`, admin);
    await closed;
    await until(async () => (await market.get('/farm', left)).status === 403);
    expect((await market.get('/auth/me', left)).status).toBe(200);
  });
});

describe('the people of a farm', () => {
  const update = (as: Caller, id: string, body: object) =>
    market.put(`/farm/members/${id}`, as, body);
  const remove = (as: Caller, id: string) => market.delete(`/farm/members/${id}`, as);
  const founderId = async () =>
    (await members(owner)).find(({ isFounder }) => isFounder)?._id ?? '';

  it('keep the founder of the farm as an owner until they leave', async () => {
    const founder = await founderId();
    const second = await hire(market, owner, 'owner');
    for (const { status, body } of [
      await update(second, founder, { role: 'manager' }),
      await remove(second, founder),
    ]) {
      expect([status, body.code]).toEqual([409, 'FARM_FOUNDER']);
    }
  });

  it('are changed by owners alone; everyone chooses their own alerts and may leave', async () => {
    const [manager, packer] = [
      await hire(market, owner, 'manager'),
      await hire(market, owner, 'packer'),
    ];
    expect((await update(manager, packer.memberId, { role: 'owner' })).status).toBe(403);
    expect((await update(manager, packer.memberId, { alerts: false })).status).toBe(403);
    expect((await remove(manager, packer.memberId)).status).toBe(403);
    expect((await update(packer, packer.memberId, { role: 'owner' })).status).toBe(403);
    const silent = await update(packer, packer.memberId, { alerts: false });
    expect([silent.status, silent.body.data.alerts]).toEqual([200, false]);
    expect((await remove(packer, packer.memberId)).status).toBe(200);
    expect((await update(owner, packer.memberId, { alerts: true })).status).toBe(404);
  });

  it('are unknown to other farms', async () => {
    const member = await hire(market, owner, 'packer');
    expect((await update(stranger, member.memberId, { role: 'owner' })).status).toBe(404);
    expect((await remove(stranger, member.memberId)).status).toBe(404);
    expect((await remove(owner, randomUUID())).status).toBe(404);
    expect((await remove(owner, 'nobody')).status).toBe(404);
  });

  it('are not changed by nothing', async () => {
    const member = await hire(market, owner, 'packer');
    expect((await update(owner, member.memberId, {})).status).toBe(400);
    expect((await update(owner, member.memberId, { role: 'boss' })).status).toBe(400);
  });
});
