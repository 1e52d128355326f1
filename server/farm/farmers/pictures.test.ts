// @long It reads and draws many pictures.

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FarmerCard } from '#contract/farm/farmers/farmers';
import { until } from '../../../testing/until.ts';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import { uploadPicture } from '../../testing/upload-picture.ts';

const market = closeAfter(await startTestMarket());

const save = (as: Caller, pictures: Record<string, unknown>) =>
  market.put('/users/farmers/profile', as, {
    farmName: `Farm ${as.id}`,
    description: 'Good soil.',
    ...pictures,
  });

async function upload(as: Caller): Promise<string> {
  const response = await uploadPicture(market.url, as);
  expect(response.status).toBe(201);
  return ((await response.json()) as { data: { url: string }[] }).data[0]?.url ?? '';
}

const profileOf = async ({ id }: Caller) =>
  (await market.get(`/users/farmers/${id}`)).body.data.profile;
const cardOf = async ({ id }: Caller) =>
  (await market.get(`/users/farmers?search=${id}`)).body.data[0];

describe('the pictures of a farm', () => {
  it('are none at first, and shown on its page and its card as soon as they are saved', async () => {
    const farmer = await market.join('farmer');
    await save(farmer, {});
    const none = { photo: null, cover: null };
    expect(await profileOf(farmer)).toMatchObject(none);
    expect(await cardOf(farmer)).toMatchObject(none);

    const visitor = await market.connect();
    const changed: string[] = [];
    visitor.on('farmer.updated', ({ data }) => changed.push(data._id));
    const pictures = { photo: await upload(farmer), cover: await upload(farmer) };
    const { status, body } = await save(farmer, pictures);
    expect(status).toBe(200);
    expect(body.data).toMatchObject(pictures);
    expect(await profileOf(farmer)).toMatchObject(pictures);
    const card = await cardOf(farmer);
    expect(card).toMatchObject(pictures);
    expect(FarmerCard.parse(card)).toEqual(card);
    await until(() => changed.includes(farmer.id));
  });

  it('stay when they are left out, also one by one, and go with null', async () => {
    const farmer = await market.join('farmer');
    const [photo, cover] = [await upload(farmer), await upload(farmer)];
    await save(farmer, { photo, cover });
    await save(farmer, { description: 'Better soil.' });
    expect(await profileOf(farmer)).toMatchObject({ photo, cover });
    await save(farmer, { photo: null });
    expect(await profileOf(farmer)).toMatchObject({ photo: null, cover });
    // The same picture may be both.
    await save(farmer, { photo: cover });
    expect(await profileOf(farmer)).toMatchObject({ photo: cover, cover });
    await save(farmer, { photo: null, cover: null });
    await save(farmer, { photo: null, cover: null });
    expect(await profileOf(farmer)).toMatchObject({ photo: null, cover: null });
  });

  it.each(['photo', 'cover'])('rejects a %s that is no upload of this farmer', async (field) => {
    const farmer = await market.join('farmer');
    const own = await upload(farmer);
    const others = await upload(await market.join('farmer'));
    await save(farmer, { [field]: own });
    for (const url of [
      others,
      `/uploads/${randomUUID()}.webp`,
      own.replace('.webp', '-small.webp'),
      own.toUpperCase(),
      `${market.url}${own}`,
      'https://pictures.test/farm.jpg',
      '/uploads/../farm.webp',
      'javascript:alert(1)',
      '',
      7,
      [own],
    ]) {
      const { status, body } = await save(farmer, { [field]: url, farmName: 'Taken over' });
      expect([url, status]).toEqual([url, 400]);
      expect(body.errors[0].path).toBe(field);
    }
    expect(await profileOf(farmer)).toMatchObject({ [field]: own, farmName: `Farm ${farmer.id}` });
  });

  it('name the field that is wrong when the other is right', async () => {
    const farmer = await market.join('farmer');
    const others = await upload(await market.join('farmer'));
    const { body } = await save(farmer, { photo: await upload(farmer), cover: others });
    expect(body.errors).toMatchObject([{ path: 'cover' }]);
    expect(await profileOf(farmer)).toMatchObject({ photo: null, cover: null });
  });

  it('end with the one that was saved last when two devices save at once', async () => {
    const farmer = await market.join('farmer');
    // One after the other: an account has one upload at a time.
    const urls = [await upload(farmer), await upload(farmer), await upload(farmer)];
    const answers = await Promise.all(urls.map((photo) => save(farmer, { photo })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(urls).toContain((await profileOf(farmer)).photo);
    expect((await cardOf(farmer)).photo).toBe((await profileOf(farmer)).photo);
  });
});
