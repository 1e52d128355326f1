import { expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { VersionedEdit } from './versioned-edit.ts';

interface Farm {
  name: string;
  price: number;
  tags: string[];
  category: string;
  address: { city: string; street: string };
  version: number;
}
type Form = Omit<Farm, 'version'>;

const farm: Farm = {
  name: 'Hill',
  price: 2,
  tags: ['old'],
  category: '00000000-0000-4000-8000-000000000800',
  address: { city: 'Ashford', street: 'Mill Lane' },
  version: 3,
};

const toForm = ({ version: _, ...form }: Farm): Form => structuredClone(form);

/** A server with one farm, that refuses other versions than its own. */
function start() {
  let stored = farm;
  const sent: { values: Form; before: Form }[] = [];
  const edit = new VersionedEdit(farm, toForm);
  const save = (changes: Partial<Form>) =>
    edit.save({ ...toForm(farm), ...changes }, async (values, before, expectedVersion) => {
      sent.push({ values, before });
      if (expectedVersion !== stored.version) {
        throw new ApiError('Changed.', {
          status: 409,
          code: 'VERSION_CONFLICT',
          details: { success: false, data: stored },
        });
      }
      stored = { ...values, version: stored.version + 1 };
      return stored;
    });
  const elsewhere = (changes: Partial<Form>) => {
    stored = { ...stored, ...changes, version: stored.version + 1 };
  };
  return { edit, save, elsewhere, sent, stored: () => stored };
}

const conflict = async (saving: Promise<unknown>): Promise<ApiError> =>
  saving.then(
    () => Promise.reject(new Error('It was saved.')),
    (error: ApiError) => error,
  );

it('saves over the version it was opened with, and then over its own', async () => {
  const { save, sent, stored } = start();
  await save({ name: 'Dale' });
  await save({ name: 'Vale' });
  expect(sent).toHaveLength(2);
  expect(sent[1]?.before.name).toBe('Dale');
  expect(stored()).toEqual({ ...farm, name: 'Vale', version: 5 });
});

it('keeps what others changed in other fields, also within an address', async () => {
  const { save, elsewhere, sent, stored } = start();
  elsewhere({ price: 9, address: { city: 'Bakewell', street: 'Mill Lane' } });
  await save({ name: 'Dale', address: { city: 'Ashford', street: 'Hill Road' } });
  expect(stored()).toEqual({
    ...farm,
    name: 'Dale',
    price: 9,
    address: { city: 'Bakewell', street: 'Hill Road' },
    version: 5,
  });
  expect(sent).toHaveLength(2);
});

it('marks fields that both changed, and saves over them the next time', async () => {
  const { save, elsewhere, stored } = start();
  elsewhere({
    price: 9,
    name: 'x'.repeat(61),
    category: farm.category.replace('8', '9'),
    tags: [],
  });
  elsewhere({ address: { city: '', street: 'Long Row' } });
  const mine = {
    name: 'Dale',
    price: 3,
    tags: ['mine'],
    category: '',
    address: { city: 'Crich', street: 'Hill Road' },
  };
  const error = await conflict(save(mine));
  expect(error.code).toBe('VERSION_CONFLICT');
  const keep = 'Save again to keep your entry.';
  expect(error.errors).toEqual([
    { path: 'name', message: `This was changed meanwhile. ${keep}` },
    { path: 'price', message: `This is 9 by now. ${keep}` },
    { path: 'tags', message: `This was changed meanwhile. ${keep}` },
    { path: 'category', message: `This was changed meanwhile. ${keep}` },
    { path: 'address.city', message: `This is empty by now. ${keep}` },
    { path: 'address.street', message: `This is “Long Row” by now. ${keep}` },
  ]);
  await save(mine);
  expect(stored()).toEqual({ ...mine, version: 6 });
});

it('marks a field again when it is changed again, and keeps untouched ones of others', async () => {
  const { save, elsewhere, stored } = start();
  elsewhere({ price: 9, name: 'Dale' });
  await conflict(save({ price: 3 }));
  elsewhere({ price: 8, tags: ['new'] });
  expect((await conflict(save({ price: 3 }))).errors.map(({ path }) => path)).toEqual(['price']);
  // Theirs is taken where the person typed it.
  await save({ price: 8 });
  expect(stored()).toMatchObject({ price: 8, name: 'Dale', tags: ['new'] });
});

it('does not mark what both changed to the same', async () => {
  const { save, elsewhere, stored } = start();
  elsewhere({ price: 9 });
  await save({ price: 9, name: 'Dale' });
  expect(stored()).toMatchObject({ price: 9, name: 'Dale' });
});

it('replaces what the form shows live', async () => {
  const { edit, save, elsewhere, stored } = start();
  elsewhere({ price: 9 });
  edit.follow({ price: 9 });
  await save({ price: 50 });
  expect(stored().price).toBe(50);
});

it('gives up when others are quicker every time', async () => {
  const { edit, elsewhere, stored } = start();
  let tries = 0;
  const saving = edit.save({ ...toForm(farm), name: 'Dale' }, async () => {
    tries += 1;
    elsewhere({ price: 10 + tries });
    throw new ApiError('Changed.', {
      status: 409,
      code: 'VERSION_CONFLICT',
      details: { data: stored() },
    });
  });
  expect((await conflict(saving)).message).toBe('Changed.');
  expect(tries).toBe(5);
});

it('passes on every other failure, also a conflict without the present entity', async () => {
  const { edit } = start();
  for (const code of ['PRODUCT_HIDDEN', 'VERSION_CONFLICT']) {
    const failure = new ApiError('No.', { status: 409, code });
    const saving = edit.save(toForm(farm), () => Promise.reject(failure));
    expect(await conflict(saving)).toBe(failure);
  }
});
