import { describe, expect, it } from 'vitest';
import { DEFAULT_QUIET_HOURS } from '#contract/farm/escalation/constants/quiet';
import { WEEKDAYS } from '#contract/farm/farmers/constants';
import { FarmerCard, FarmerDetail } from '#contract/farm/farmers/farmers';
import { until } from '../../../testing/until.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';

const market = closeAfter(await startTestMarket());

const save = (as: Caller | undefined, body: Record<string, unknown>) =>
  market.put('/users/farmers/profile', as, body);

async function farm(farmName: string, name?: string): Promise<Caller> {
  const farmer = await market.join('farmer', name);
  await save(farmer, { farmName, description: 'Good soil.' });
  return farmer;
}

const list = (query = '') => market.get(`/users/farmers?${query}`);
const detail = (id: string) => market.get(`/users/farmers/${id}`);

describe('the farm profile', () => {
  it('is empty at first, with every day closed', async () => {
    const farmer = await market.join('farmer', 'Fern');
    const { status, body } = await detail(farmer.id);
    expect(status).toBe(200);
    expect(FarmerDetail.parse(body.data)).toEqual(body.data);
    expect(body.data).toMatchObject({
      farmer: { _id: farmer.id, name: 'Fern', email: farmer.email, phone: '555-0100' },
      profile: { farmName: '', establishedYear: null, farmingPractices: [], acceptsPickup: true },
    });
    for (const day of WEEKDAYS) {
      expect(body.data.profile.businessHours[day]).toEqual({ open: '', close: '' });
    }
    expect(body.data.profile.quietHours).toEqual(DEFAULT_QUIET_HOURS);
  });

  it('waits for no product unless the farm gets another name', async () => {
    const farmer = await farm('Quiet Farm');
    const body = productInput(await makeCategory(market.platform));
    const made = await market.post('/products', farmer, body);
    const holder = await market.platform.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM products WHERE id = $1 FOR UPDATE', [made.body.data._id]);
    const others = { farmName: 'Quiet Farm', description: 'Other soil.', acceptsDelivery: true };
    expect((await save(farmer, others)).status).toBe(200);
    await holder.query('ROLLBACK');
    holder.release();
  });

  it('updates the given fields and keeps the others, also links and days', async () => {
    const farmer = await market.join('farmer');
    const first = await save(farmer, {
      farmName: 'Green Valley',
      description: 'Good soil.',
      establishedYear: 1988,
      socialMedia: { facebook: 'https://f.test/green', instagram: 'https://i.test/green' },
      farmingPractices: [' No-till ', 'Organic'],
      businessHours: { monday: { open: '08:00', close: '17:00' } },
      acceptsDelivery: true,
      deliveryRadius: 12.5,
    });
    expect(first.status).toBe(200);
    const second = await save(farmer, {
      farmName: 'Green Valley Farm',
      description: 'Better soil.',
      socialMedia: { instagram: '' },
      businessHours: { friday: { open: '09:00', close: '12:00' } },
    });
    expect(second.body.data).toEqual({
      ...first.body.data,
      farmName: 'Green Valley Farm',
      description: 'Better soil.',
      socialMedia: { facebook: 'https://f.test/green', instagram: '', twitter: '' },
      farmingPractices: ['No-till', 'Organic'],
      businessHours: {
        ...first.body.data.businessHours,
        friday: { open: '09:00', close: '12:00' },
      },
      version: first.body.data.version + 1,
    });
    expect(second.body.data.businessHours.monday).toEqual({ open: '08:00', close: '17:00' });
    expect((await detail(farmer.id)).body.data.profile).toEqual(second.body.data);
    const emptied = await save(farmer, {
      farmName: 'G',
      description: 'D',
      establishedYear: null,
      deliveryRadius: null,
    });
    expect(emptied.body.data).toMatchObject({ establishedYear: null, deliveryRadius: null });
  });

  it('has several hours on a day, which a client that knows of one alone leaves as they are', async () => {
    const farmer = await farm('Two Shifts');
    const days = async (businessHours: Record<string, unknown>) => {
      const { body } = await save(farmer, { farmName: 'T', description: 'D', businessHours });
      return body.data.businessHours;
    };
    const morning = { open: '08:00', close: '12:00' };
    const both = { ...morning, more: [{ open: '15:00', close: '18:00' }] };
    expect((await days({ monday: both })).monday).toEqual(both);
    const { handoff } = (await detail(farmer.id)).body.data;
    expect(handoff.openings).toEqual([
      { days: ['monday'], ...morning },
      { days: ['monday'], open: '15:00', close: '18:00' },
    ]);
    expect((await days({ monday: morning, tuesday: morning })).monday).toEqual(both);
    expect((await days({ monday: { ...morning, more: [] } })).monday).toEqual(morning);
    await days({ monday: both });
    expect((await days({ monday: { open: '', close: '' } })).monday).toEqual({
      open: '',
      close: '',
    });
  });

  it('shows the email of its founder unless it chose not to', async () => {
    const farmer = await farm('Quiet Mailbox');
    const shown = async () => (await detail(farmer.id)).body.data.farmer.email;
    expect(await shown()).toBe(farmer.email);
    await save(farmer, { farmName: 'Q', description: 'D', showsEmail: false });
    expect(await shown()).toBe('');
    await save(farmer, { farmName: 'Q', description: 'D' });
    expect(await shown()).toBe('');
  });

  const overlap = { open: '11:00', close: '13:00' };
  it.each([
    [
      'hours that overlap',
      { businessHours: { monday: { open: '08:00', close: '12:00', more: [overlap] } } },
      'businessHours.monday.more.0.open',
    ],
    [
      'hours within a night that began before',
      {
        businessHours: {
          monday: { open: '20:00', close: '02:00', more: [{ open: '23:00', close: '23:30' }] },
        },
      },
      'businessHours.monday.more.0.open',
    ],
    [
      'further hours of a closed day',
      { businessHours: { monday: { more: [overlap] } } },
      'businessHours.monday.open',
    ],
    ['a blank farm name', { farmName: ' ' }, 'farmName'],
    ['a blank description', { description: '' }, 'description'],
    ['a year before 1900', { establishedYear: 1899 }, 'establishedYear'],
    ['a year to come', { establishedYear: new Date().getFullYear() + 2 }, 'establishedYear'],
    [
      'a javascript: link',
      { socialMedia: { facebook: 'javascript:alert(1)' } },
      'socialMedia.facebook',
    ],
    ['a blank practice', { farmingPractices: ['  '] }, 'farmingPractices.0'],
    [
      'an invalid time',
      { businessHours: { monday: { open: '25:00' } } },
      'businessHours.monday.open',
    ],
    ['a day of no week', { businessHours: { someday: {} } }, 'businessHours'],
    ['a negative radius', { deliveryRadius: -1 }, 'deliveryRadius'],
  ])('refuses %s', async (_, over, path) => {
    const farmer = await market.join('farmer');
    const { status, body } = await save(farmer, { farmName: 'A', description: 'B', ...over });
    expect(status).toBe(400);
    expect(body.errors[0].path).toBe(path);
  });

  it('allows only farmers', async () => {
    const input = { farmName: 'A', description: 'B' };
    expect((await save(undefined, input)).status).toBe(401);
    expect((await save(await market.join('consumer'), input)).status).toBe(403);
    expect((await save(await market.join('admin'), input)).status).toBe(403);
  });

  it('updates the public page and the search text of its products', async () => {
    const farmer = await farm('Old Orchard');
    const category = await makeCategory(market.platform);
    await market.post('/products', farmer, productInput(category));
    const visitor = await market.connect();
    const received: string[] = [];
    visitor.on('farmer.updated', ({ data }) => received.push(data._id));
    await save(farmer, { farmName: 'Brûlée Hill', description: 'New.' });
    await until(() => received.includes(farmer.id));
    const found = await market.get('/products?search=brulee');
    expect(found.body.data).toMatchObject([{ farmer: { farmName: 'Brûlée Hill' } }]);
    expect((await market.get('/products?search=Old+Orchard')).body.count).toBe(0);
  });

  it('changes what its cards and its products say of pickup and delivery, at once', async () => {
    const farmer = await farm('Hours Farm');
    const category = await makeCategory(market.platform);
    const product = await market.post('/products', farmer, productInput(category));
    const handoffs = async () => {
      const [catalogue, page, farms] = await Promise.all([
        market.get(`/products?farmer=${farmer.id}`),
        market.get(`/products/${product.body.data._id}`),
        market.get('/users/farmers?search=Hours+Farm'),
      ]);
      return [catalogue.body.data[0].farmer, page.body.data.farmer, farms.body.data[0]].map(
        ({ handoff }) => handoff,
      );
    };
    const before = {
      pickup: true,
      delivery: false,
      deliveryRadius: null,
      openings: [],
      timeZone: 'UTC',
      cutoff: null,
      closedDays: [],
      bookableDays: 56,
    };
    expect(await handoffs()).toEqual([before, before, before]);
    await save(farmer, {
      farmName: 'Hours Farm',
      description: 'New.',
      acceptsPickup: false,
      acceptsDelivery: true,
      deliveryRadius: 25,
      businessHours: { saturday: { open: '08:00', close: '14:00' } },
    });
    const after = {
      pickup: false,
      delivery: true,
      deliveryRadius: 25,
      openings: [{ days: ['saturday'], open: '08:00', close: '14:00' }],
      timeZone: 'UTC',
      cutoff: null,
      closedDays: [],
      bookableDays: 56,
    };
    expect(await handoffs()).toEqual([after, after, after]);
  });
});

describe('one farm', () => {
  it.each([
    ['nobody', () => '00000000-0000-4000-8000-000000000000'],
    ['a consumer', async () => (await market.join('consumer')).id],
  ])('is not found when it is %s', async (_, id) => {
    expect(await detail(await id())).toMatchObject({
      status: 404,
      body: { success: false, message: 'Farmer not found', code: 'NOT_FOUND' },
    });
  });

  it('returns 404 for an invalid id', async () => {
    expect((await detail('nonsense')).status).toBe(404);
  });
});

describe('the list of farms', () => {
  it('is sorted by farm name, else by farmer name, and pages each farm once', async () => {
    const made = [
      (await farm('zz Beta')).id,
      (await market.join('farmer', 'ZZ Delta')).id,
      (await farm('zz alpha')).id,
      (await farm('ZZ gamma')).id,
      (await farm('zz alpha')).id,
      (await farm('ZZ Älpha')).id,
    ];
    const seen: FarmerCard[] = [];
    let cursor = '';
    do {
      const { status, body } = await list(`search=zz&limit=2&cursor=${cursor}`);
      expect(status).toBe(200);
      expect(body.count).toBe(body.data.length);
      seen.push(...body.data.map((card: unknown) => FarmerCard.parse(card)));
      cursor = body.nextCursor ?? '';
    } while (cursor);
    expect(seen.map(({ farmName, name }) => (farmName || name).toLowerCase())).toEqual([
      'zz alpha',
      'zz alpha',
      'zz älpha',
      'zz beta',
      'zz delta',
      'zz gamma',
    ]);
    expect(new Set(seen.map(({ _id }) => _id))).toEqual(new Set(made));
  });

  it('finds part of the farm’s or the farmer’s name, ignoring case and accents', async () => {
    const { id } = await farm('Crème Acres 50%', 'Iñigo Sørensen');
    for (const search of ['CREME', 'acres', 'inigo', '50%25', 'Sorensen+creme']) {
      const { body } = await list(`search=${search}`);
      expect(body.data.map((card: FarmerCard) => card._id)).toContain(id);
    }
    expect((await list('search=Cr_me')).body.data).toEqual([]);
  });

  it('counts the products that are listed now', async () => {
    const farmer = await farm('Counting House');
    const category = await makeCategory(market.platform);
    for (const over of [{}, {}, { isActive: false }, { availableUntil: '2020-01-01' }]) {
      await market.post('/products', farmer, productInput(category, over));
    }
    const { body } = await list('search=Counting+House');
    expect(body.data).toMatchObject([{ productCount: 2, description: 'Good soil.' }]);
  });

  it('rejects invalid queries', async () => {
    for (const query of ['limit=0', 'limit=x', 'cursor=nonsense']) {
      expect((await list(query)).status).toBe(400);
    }
  });
});
