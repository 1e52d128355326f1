import { domainToASCII, domainToUnicode } from 'node:url';
import { describe, expect, it } from 'vitest';
import { canonicalEmail, readableEmail } from '#contract/platform/http/email';
import { Email } from '#contract/platform/http/http';
import { accountKey } from '../../platform/http/rate-limit.ts';
import { closeAfter, startTestMarket } from '../../testing/market.ts';

const market = closeAfter(await startTestMarket());

const LONG = 'a'.repeat(64);
const LABEL = 'b'.repeat(63);

describe('an address of mail', () => {
  it.each([
    ['Ann@Farm.Example', 'ann@farm.example'],
    ["r&d!#$%*+/=?^_`{|}~-.o'x@farm.example", "r&d!#$%*+/=?^_`{|}~-.o'x@farm.example"],
    // As phones in Japan had them.
    ['.ann..@farm.example', '.ann..@farm.example'],
    ['ann@xn--bcher-kva.example', 'ann@xn--bcher-kva.example'],
    ['Ann@BÜCHER.example', 'ann@xn--bcher-kva.example'],
    ['ann@bu\u0308cher.example', 'ann@xn--bcher-kva.example'],
    ['ann@straße.example', 'ann@xn--strae-oqa.example'],
    ['ann@пример.рф', 'ann@xn--e1afmkfd.xn--p1ai'],
    ['ann@مثال.پاکستان', 'ann@xn--mgbh0fb.xn--mgbai9azgqp6j'],
    ['ann＠例え。テスト', 'ann@xn--r8jz45g.xn--zckzah'],
    ['ann@ｆａｒｍ.example', 'ann@farm.example'],
    ['ann@1.farm2.example', 'ann@1.farm2.example'],
    // Copied out of contacts.
    [' \u202aann@farm.example\u202c\u00a0', 'ann@farm.example'],
    // Was taken before, though it decodes to nothing.
    ['ann@xn--a.example', 'ann@xn--a.example'],
    [`${LONG}@${LABEL}.example`, `${LONG}@${LABEL}.example`],
  ])('%s is kept as %s', (typed, kept) => {
    expect(Email.parse(typed)).toBe(kept);
    expect(Email.parse(kept)).toBe(kept);
  });

  it.each([
    '',
    'ann',
    '@farm.example',
    'ann@',
    'ann@farm',
    'ann@farm.e',
    'ann@.example',
    'ann@farm..example',
    'ann@-farm.example',
    'ann@farm-.example',
    'ann@farm.example.',
    'ann@farm_1.example',
    'ann@1.2.3.4',
    'ann@１.2',
    'ann@[::1]',
    'ann@bücher.example:80',
    'ann@bücher.example/x',
    'ann@ü.%61.example',
    'an n@farm.example',
    'ann@bob@farm.example',
    'ann,bob@farm.example',
    'Ann <ann@farm.example>',
    'añn@farm.example',
    'ann@x.invalid',
    'ann@x.ｉｎｖａｌｉｄ',
    `a${LONG}@farm.example`,
    `ann@b${LABEL}.example`,
    `ann@${`${LABEL}.`.repeat(4)}example`,
  ])('%j is none', (typed) => {
    expect(Email.safeParse(typed).success).toBe(false);
  });

  it.each([
    'bücher.example',
    'straße.example',
    'пример.рф',
    'παράδειγμα.δοκιμή',
    'مثال.پاکستان',
    'उदाहरण.परीक्षा',
    '例え.テスト',
    '예제.테스트',
    'דוגמה.טעסט',
    'mañana.example',
    'farm.example',
    'مزرعة.example',
  ])('with the domain %s is kept in ASCII and shown as it is read', (domain) => {
    const kept = `ann@${domainToASCII(domain)}`;
    expect(canonicalEmail(`ann@${domain}`)).toBe(kept);
    expect(readableEmail(kept)).toBe(`ann@${domain}`);
    expect(domainToUnicode(domainToASCII(domain))).toBe(domain);
  });

  it.each([
    // Cyrillic letters that look Latin, alone and among Latin ones.
    `ann@${domainToASCII('раура1.example')}`,
    `ann@${domainToASCII('pаypal.example')}`,
    'ann@xn--a.example',
    'ann@xn--.example',
    'ann@xn--99999999999.example',
  ])('%s stays as it is: it may look like another', (kept) => {
    expect(readableEmail(kept)).toBe(kept);
  });
});

describe('an account', () => {
  const body = (email: string, more = {}) => ({
    name: 'Ann',
    email,
    password: 'password123',
    ...more,
  });

  it('is one, in whichever way its domain is written', async () => {
    const registered = await market.call('POST', '/auth/register', {
      body: body('Ann&Co!@Höfe.example'),
    });
    expect(registered.status).toBe(201);
    expect(registered.body.user.email).toBe('ann&co!@xn--hfe-sna.example');
    for (const email of ['ann&co!@höfe.example', 'ANN&CO!@XN--HFE-SNA.EXAMPLE']) {
      const again = await market.call('POST', '/auth/register', { body: body(email) });
      expect([again.status, again.body.code]).toEqual([409, 'EMAIL_TAKEN']);
      const { status } = await market.call('POST', '/auth/login', { body: body(email) });
      expect(status).toBe(200);
    }
  });

  it('is found by the address as it is read', async () => {
    const admin = await market.join('admin');
    for (const search of ['ann&co!@höfe.example', '@HÖFE.example']) {
      const { body } = await market.get(`/users?search=${encodeURIComponent(search)}`, admin);
      expect(body.data).toMatchObject([{ email: 'ann&co!@xn--hfe-sna.example' }]);
    }
  });

  it('has no more tries by another spelling', () => {
    const spellings = ['jo@höfe.example', ' Jo@HÖFE.example', 'jo@xn--hfe-sna.example'];
    expect(new Set(spellings.map(accountKey)).size).toBe(1);
  });

  it('an invitation to the readable address is for it', async () => {
    const farm = await market.join('farmer');
    const invited = await market.post('/farm/members', farm, {
      email: 'pat@höfe.example',
      role: 'packer',
    });
    expect(invited.body.data.email).toBe('pat@xn--hfe-sna.example');
    const again = { email: 'pat@xn--hfe-sna.example', role: 'packer' };
    await market.post('/farm/members', farm, again);
    const invitations = market.platform.db.farmMember;
    expect(await invitations.count({ where: { email: again.email } })).toBe(1);
  });

  it('the market is reached at an address that everybody can read', async () => {
    const admin = await market.join('admin');
    const contact = async (email: string) =>
      (await market.put('/market', admin, { contact: { address: '', phone: '', email } })).body.data
        .contact.email;
    expect(await contact('Hello@HÖFE.example')).toBe('hello@höfe.example');
    expect(await contact('hello@xn--hfe-sna.example')).toBe('hello@höfe.example');
    expect(await contact('')).toBe('');
  });
});
