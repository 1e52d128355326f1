import { beforeAll, expect, it } from 'vitest';
import { theReader } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import { acceptedLanguage, inLanguageOf } from '../../platform/market/readers.ts';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';

const market = closeAfter(await startTestMarket());

let admin: Caller;
const offer = async (...languages: string[]) => {
  const {
    version,
    announcement: _,
    pages: __,
    ...present
  } = (await market.get('/market')).body.data;
  const body = { ...present, languages, expectedVersion: version };
  expect((await market.put('/market', admin, body)).status).toBe(200);
};

beforeAll(async () => {
  admin = await market.join('admin');
  await offer('en', 'ur', 'de');
});

const ENGLISH = 'Please sign in to continue.';
const GERMAN = 'Bitte melden Sie sich an, um fortzufahren.';
const URDU = 'جاری رکھنے کے لیے براہِ کرم سائن اِن کریں۔';

const refusalIn = async (header: string | undefined) => {
  const headers = header === undefined ? {} : { 'accept-language': header };
  return (await market.call('GET', '/orders/mine', { headers })).body;
};

it.each([
  [undefined, ENGLISH],
  ['', ENGLISH],
  ['de', GERMAN],
  ['de-AT,de;q=0.9,en;q=0.8', GERMAN],
  ['DE-de', GERMAN],
  ['fr-FR, ur-PK;q=0.7, en;q=0.5', URDU],
  ['en;q=0, ur', URDU],
  // None of them: the market's own.
  ['fr', ENGLISH],
  ['*', ENGLISH],
  ['de;q=0', ENGLISH],
  [';;;,,q=', ENGLISH],
  [`de,${'x'.repeat(300)}`, ENGLISH],
])('refuses in the language of the header: %s', async (header, message) => {
  expect(await refusalIn(header)).toEqual({ success: false, code: 'UNAUTHORIZED', message });
});

it('writes the problems of fields in the same language, and leaves codes and parameters alone', async () => {
  const answer = await market.call('POST', '/auth/login', {
    headers: { 'accept-language': 'de' },
    body: { email: 7, password: 'x' },
  });
  expect(answer.body).toMatchObject({
    code: 'INVALID',
    message: 'Das Feld email muss ein Text sein.',
    errors: [{ path: 'email', message: 'Das Feld email muss ein Text sein.' }],
  });
});

it('writes what a schema refuses in the language of each request', async () => {
  const register = async (language: string) => {
    const answer = await market.call('POST', '/auth/register', {
      headers: { 'accept-language': language },
      body: { name: ' ', email: 'nobody', password: 'short' },
    });
    return answer.body.errors;
  };
  expect(await register('de')).toEqual([
    { path: 'name', message: 'Der Name fehlt' },
    { path: 'email', message: 'Bitte geben Sie eine gültige E-Mail-Adresse ein.' },
    { path: 'password', message: 'Das Passwort muss mindestens 6 Zeichen haben' },
  ]);
  expect((await register('en'))[0]).toEqual({ path: 'name', message: 'Name is required' });
});

it('says beside a refusal what it names', async () => {
  const farmer = await market.join('farmer');
  const upload = (language: string) =>
    market.call('POST', '/uploads', {
      as: farmer,
      headers: { 'accept-language': language },
      body: {},
    });
  expect((await upload('de')).body).toEqual({
    success: false,
    code: 'UNSUPPORTED',
    message: 'Senden Sie die Bilder als multipart/form-data, im Feld „images“.',
    params: { field: 'images' },
  });
  expect((await upload('en')).body.message).toBe(
    'Send the pictures as multipart/form-data, in the field "images".',
  );
});

it('answers 300 requests at once in three languages, none in the wrong one', async () => {
  const wanted = { en: ENGLISH, de: GERMAN, ur: URDU };
  const asked = Array.from(
    { length: 300 },
    (_, index) => (['en', 'de', 'ur'] as const)[index % 3] ?? 'en',
  );
  const answers = await Promise.all(asked.map((language) => refusalIn(language)));
  expect(answers.map(({ message }) => message)).toEqual(asked.map((language) => wanted[language]));
});

it('keeps the languages of jobs apart that run at once', async () => {
  const pause = () => new Promise((resolve) => setImmediate(resolve));
  const written = await Promise.all(
    ['ur', null, 'de', 'en', 'ur', 'de'].map((chosen) =>
      inLanguageOf(chosen, async () => {
        const before = theReader().language;
        await pause();
        return [before, t('Please sign in to continue.')];
      }),
    ),
  );
  expect(written).toEqual([
    ['ur', URDU],
    ['en', ENGLISH],
    ['de', GERMAN],
    ['en', ENGLISH],
    ['ur', URDU],
    ['de', GERMAN],
  ]);
  expect(theReader().language).toBe('en');
});

it('keeps the language that somebody chose, and tells nobody else', async () => {
  const consumer = await market.join('consumer');
  const languageNow = async () => (await market.get('/auth/me', consumer)).body.user.language;
  expect(await languageNow()).toBeNull();
  const save = (language: unknown) =>
    market.put('/users/profile', consumer, { name: consumer.name, language });
  expect((await save('ur')).body.data.language).toBe('ur');
  expect(await languageNow()).toBe('ur');

  // Not named: as it was.
  expect((await market.put('/users/profile', consumer, { name: 'Else' })).body.data.language).toBe(
    'ur',
  );
  expect(await save('fr')).toMatchObject({ status: 400, body: { errors: [{ path: 'language' }] } });
  expect((await save(7)).status).toBe(400);
  expect((await save('x'.repeat(100))).status).toBe(400);
  expect(await languageNow()).toBe('ur');

  const listed = (await market.get('/users?role=consumer', admin)).body.data;
  expect(listed.find(({ _id }: { _id: string }) => _id === consumer.id)).not.toHaveProperty(
    'language',
  );

  expect((await save(null)).body.data.language).toBeNull();
});

it('offers no language that there are no translations for', async () => {
  for (const languages of [['en', 'xx'], ['pseudo'], ['EN'], ['../de'], []]) {
    const answer = await market.put('/market', admin, { languages });
    expect([languages, answer.status]).toEqual([languages, 400]);
  }
  expect((await market.get('/market')).body.data.languages).toEqual(['en', 'ur', 'de']);
});

it('keeps a choice that the market no longer offers, for when it does again', async () => {
  const consumer = await market.join('consumer');
  await market.put('/users/profile', consumer, { name: consumer.name, language: 'de' });
  await offer('ur');
  expect((await market.get('/auth/me', consumer)).body.user.language).toBe('de');
  // Its own language for whoever asks for another one, and English without a header.
  expect((await refusalIn('de')).message).toBe(URDU);
  expect((await refusalIn(undefined)).message).toBe(ENGLISH);
  expect(acceptedLanguage('de')).toBe('ur');
  expect(await inLanguageOf('de', async () => t('Please sign in to continue.'))).toBe(URDU);
  await offer('en', 'ur', 'de');
  expect(await inLanguageOf('de', async () => t('Please sign in to continue.'))).toBe(GERMAN);
});
