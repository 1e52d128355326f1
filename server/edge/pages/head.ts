import { MARKET_PAGE_NAMES } from '#contract/admin/market-pages/constants';
import type { MarketPage } from '#contract/admin/market-pages/market-pages';
import type { Category } from '#contract/catalogue/categories/categories';
import { nameOfCategory } from '#contract/catalogue/categories/constants';
import type { Product } from '#contract/catalogue/products/product';
import { MISSING } from '#contract/edge/constants';
import { farmNameOf, WEEKDAYS } from '#contract/farm/farmers/constants';
import { spansOf } from '#contract/farm/farmers/constants/hours';
import type { FarmerDetail, Opening } from '#contract/farm/farmers/farmers';
import type { Position } from '#contract/farm/places/places';
import type { Address } from '#contract/platform/http/http';
import { MARKET_PAGES, theMarket } from '#contract/platform/market/constants';
import { formatMoney } from '#contract/platform/money/constants';
import { formatTown } from '#contract/platform/text/constants/addresses';
import { addressIn, theReader } from '#contract/platform/text/constants/reader';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { runsOf } from '#contract/platform/time/constants/clock';
import { offeredLanguages } from '../../platform/market/readers.ts';
import type { PageAddress } from './addresses.ts';
import { offersOf, pricePerUnit } from './offers.ts';

/** What the head of a page says of it. */
export interface Head {
  /** As the client sets it. */
  title: string;
  /** What a card of the page is called. */
  shareTitle: string;
  description: string;
  /** The address that all spellings of it stand for. */
  canonical: string;
  /** The same page in each language, and for readers of none of them. */
  alternates: readonly (readonly [language: string, address: string])[];
  image?: { url: string; width: number; height: number; alt: string };
  kind: 'website' | 'product' | 'profile';
  /** Whether search engines may list it. */
  isIndexed: boolean;
  /** Schema.org data, each without its context. */
  structured: readonly object[];
}

/** What a page was made of. */
export interface PageData {
  product?: Product | undefined;
  farm?: FarmerDetail | undefined;
  categories?: readonly Category[] | undefined;
  /** A text that an admin wrote. */
  text?: MarketPage | undefined;
}

/** The longest description that search engines show, in characters. */
const DESCRIPTION_MAX = 160;
const CARD = { width: 1200, height: 630 };

/** What the head of a page says, with the path that is the page's in any language. */
type Described = Omit<Head, 'canonical' | 'alternates'> & { canonical: string };

/** Returns what the head says of a page. `publicUrl` is the address of the site, without a slash at its end. */
export function headOf(address: PageAddress, data: PageData, publicUrl: string): Head {
  const languages = offeredLanguages();
  const [own] = languages;
  const inLanguage = (path: string, language: string) => publicUrl + addressIn(path, language, own);
  const head = describe(address, data, {
    at: (path) => inLanguage(path, theReader().language),
    file: (path) => publicUrl + path,
  });
  const { canonical: path } = head;
  return {
    ...head,
    canonical: inLanguage(path, theReader().language),
    alternates:
      languages.length > 1
        ? [
            ...languages.map((each) => [each, inLanguage(path, each)] as const),
            ['x-default', publicUrl + path] as const,
          ]
        : [],
  };
}

function describe(
  address: PageAddress,
  data: PageData,
  { at, file }: Pick<Tools, 'at' | 'file'>,
): Described {
  const site = {
    title: siteOf().name,
    shareTitle: siteOf().name,
    description: siteOf().description,
    canonical: address.path,
    image: { url: at(cardPathOf('market')), ...CARD, alt: siteOf().name },
    kind: 'website' as const,
    isIndexed: true,
    structured: [],
  } satisfies Described;
  const titled = (title: string) => ({ title: `${title} · ${siteOf().name}`, shareTitle: title });
  const breadcrumbs = (...steps: [name: string, path: string][]) => ({
    '@type': 'BreadcrumbList',
    itemListElement: [[siteOf().name, '/'] as const, ...steps].map(([name, path], index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: at(path),
    })),
  });
  switch (address.route) {
    case '/':
      return { ...site, structured: [{ '@type': 'WebSite', name: siteOf().name, url: at('/') }] };
    case '/about':
      return {
        ...site,
        ...titled(t('About')),
        description: data.text
          ? shortened(data.text.body)
          : t('A market without a middle: the people who grow food, and the people who eat it.'),
      };
    case '/terms':
    case '/privacy':
    case '/help':
      if (!data.text) return { ...site, ...titled(textName(address.route)), isIndexed: false };
      return { ...site, ...titled(data.text.title), description: shortened(data.text.body) };
    case '/products':
      return productsHead(address, data, site, titled);
    case '/products/:id':
      if (!data.product) return { ...site, ...titled(t('Product')), isIndexed: false };
      return productHead(data.product, { site, titled, at, file, breadcrumbs });
    case '/farmers': {
      const params = new URLSearchParams(address.search);
      return {
        ...site,
        ...titled(t('Farmers')),
        description: t(
          'The people who grow what you eat: the farms of the market, with their produce, hours and places.',
        ),
        canonical: `/farmers${pick(params, ['cursor'])}`,
        isIndexed: !params.has('search'),
      };
    }
    case MISSING:
      return { ...site, ...titled(t('Page not found')), isIndexed: false };
    default:
      if (!data.farm) return { ...site, ...titled(t('Farmer')), isIndexed: false };
      return farmHead(data.farm, { site, titled, at, file, breadcrumbs });
  }
}

/** What a text of the market is called before its title is known. */
const textName = (route: string): string =>
  writeMessage(MARKET_PAGE_NAMES[MARKET_PAGES.find((slug) => `/${slug}` === route) ?? 'help']);

interface Tools {
  site: Described;
  titled: (title: string) => { title: string; shareTitle: string };
  /** The address of a page, or of the card of one, in the reader's language. */
  at: (path: string) => string;
  /** The address of what is the same in all languages. */
  file: (path: string) => string;
  breadcrumbs: (...steps: [name: string, path: string][]) => object;
}

/** A category and a further page have addresses of their own; a search, other filters and sorts have not. */
function productsHead(
  { search }: PageAddress,
  { categories }: PageData,
  site: Described,
  titled: Tools['titled'],
): Described {
  const params = new URLSearchParams(search);
  const category = categories?.find(({ _id }) => _id === params.get('category')?.toLowerCase());
  if (category) params.set('category', category._id);
  const isNarrowed = [...params.keys()].some(
    (name) => !['category', 'sort', 'filters', 'cursor'].includes(name),
  );
  return {
    ...site,
    ...titled(t('Products')),
    ...(category && { shareTitle: nameOfCategory(category) }),
    description: category?.description
      ? shortened(`${nameOfCategory(category)}: ${category.description}`)
      : t('What the farms around you have on their stalls right now, at the price the farmer set.'),
    canonical: `/products${pick(params, [...(category ? ['category'] : []), 'cursor'])}`,
    isIndexed: !isNarrowed && (category !== undefined || !params.has('category')),
  };
}

function productHead(product: Product, { site, titled, at, file, breadcrumbs }: Tools): Described {
  const farm = farmNameOf(product.farmer);
  const { name } = product;
  const price = pricePerUnit(product);
  const path = `/products/${product._id}`;
  const offered = product.sizes
    ? t('From {price} at {farm}.', { price: formatMoney(product.price), farm })
    : t('{price} from {farm}.', { price, farm });
  return {
    ...site,
    ...titled(product.name),
    shareTitle: t('{name}, {price}', { name, price }),
    description: shortened(`${offered} ${product.description}`),
    image: {
      url: at(cardPathOf('product', product)),
      ...CARD,
      alt: t('{name} from {farm}, {price}', { name, farm, price }),
    },
    kind: 'product',
    structured: [
      {
        '@type': 'Product',
        name: product.name,
        description: product.description,
        url: at(path),
        ...(product.images.length > 0 && {
          image: product.images.map((image) => new URL(image, file('/')).href),
        }),
        ...(product.category && { category: nameOfCategory(product.category) }),
        brand: { '@type': 'Brand', name: farm },
        ...(product.sku && { sku: product.sku }),
        offers: offersOf(product, at),
      },
      breadcrumbs(
        [t('Products'), '/products'],
        ...(product.category
          ? [
              [nameOfCategory(product.category), `/products?category=${product.category._id}`] as [
                string,
                string,
              ],
            ]
          : []),
        [product.name, path],
      ),
    ],
  };
}

function farmHead(
  { farmer, profile, handoff, places = [] }: FarmerDetail,
  { site, titled, at, file, breadcrumbs }: Tools,
): Described {
  const name = farmNameOf({ farmName: profile.farmName, name: farmer.name });
  const path = `/farmers/${farmer._id}`;
  const place = formatTown(farmer.address);
  const picture = profile.cover ?? profile.photo;
  const links = Object.values(profile.socialMedia).filter(Boolean);
  const closed = runsOf(handoff?.closedDays ?? []);
  return {
    ...site,
    ...titled(name),
    shareTitle: place ? t('{name}, {place}', { name, place }) : name,
    description: shortened(
      profile.description ||
        t('{name} sells its produce on {market}.', { name, market: siteOf().name }),
    ),
    image: {
      url: at(cardPathOf('farm', { _id: farmer._id, version: profile.version })),
      ...CARD,
      alt: place ? t('{name} in {place}', { name, place }) : name,
    },
    kind: 'profile',
    structured: [
      {
        '@type': 'LocalBusiness',
        name,
        url: at(path),
        ...(profile.description && { description: profile.description }),
        ...(picture && { image: new URL(picture, file('/')).href }),
        ...(farmer.phone && { telephone: farmer.phone }),
        ...(farmer.email && { email: farmer.email }),
        ...(profile.establishedYear !== null && { foundingDate: String(profile.establishedYear) }),
        ...(place && { address: postalAddress(farmer.address) }),
        ...geoOf(profile.position),
        ...(places.length > 0 && {
          location: places.map(({ name, address, position, openings }) => ({
            '@type': 'Place',
            name,
            address: postalAddress(address),
            ...geoOf(position),
            openingHoursSpecification: openings.map(hoursOf),
          })),
        }),
        ...(links.length > 0 && { sameAs: links }),
        openingHoursSpecification: WEEKDAYS.flatMap((day) =>
          spansOf(profile.businessHours[day]).map((span) => hoursOf({ days: [day], ...span })),
        ),
        ...(closed.length > 0 && {
          specialOpeningHoursSpecification: closed.map(({ from, to }) => ({
            '@type': 'OpeningHoursSpecification',
            validFrom: from,
            validThrough: to,
            opens: '00:00',
            closes: '00:00',
          })),
        }),
      },
      breadcrumbs([t('Farmers'), '/farmers'], [name, path]),
    ],
  };
}

const postalAddress = ({ street, city, state, zipCode }: Address) => ({
  '@type': 'PostalAddress',
  streetAddress: street,
  addressLocality: city,
  addressRegion: state,
  postalCode: zipCode,
  addressCountry: theMarket().country,
});

const geoOf = (position: Position | null | undefined) =>
  position && { geo: { '@type': 'GeoCoordinates', ...position } };

function hoursOf({ days, open, close }: Opening) {
  const names = days.map((day) => day.charAt(0).toUpperCase() + day.slice(1));
  const dayOfWeek = names.length === 1 ? names[0] : names;
  // For search engines equal times are a closed day.
  const [opens, closes] = open === close ? ['00:00', '23:59'] : [open, close];
  return { '@type': 'OpeningHoursSpecification', dayOfWeek, opens, closes };
}

/** Returns the query with these parameters alone, with its `?`; empty without any. */
function pick(params: URLSearchParams, names: readonly string[]): string {
  const picked = new URLSearchParams();
  for (const name of names) {
    const value = params.get(name);
    if (value) picked.set(name, value);
  }
  const text = picked.toString();
  return text && `?${text}`;
}

/** Returns a text on one line, cut after a word where it is too long for a description. */
function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= DESCRIPTION_MAX) return line;
  const cut = Array.from(line)
    .slice(0, DESCRIPTION_MAX - 1)
    .join('');
  const end = cut.lastIndexOf(' ');
  return `${end > DESCRIPTION_MAX / 2 ? cut.slice(0, end) : cut}…`;
}

/** What a card shows: the market, a product or a farm. */
type CardSubject = 'market' | 'product' | 'farm';

/**
 * Returns the path of a card. The version is in it, because those who show cards keep them: another price is another
 * address.
 */
function cardPathOf(
  subject: CardSubject,
  { _id, version }: { _id: string; version?: number | undefined } = { _id: '' },
): string {
  if (subject === 'market') return '/cards/market.jpg';
  return `/cards/${subject}/${_id}.jpg${version === undefined ? '' : `?v=${version}`}`;
}

/** Returns what pages, cards and structured data say of the market as a whole. */
export function siteOf() {
  const { name, tagline } = theMarket();
  return {
    name,
    /** What stands before any page of it in a search result. */
    description:
      tagline ||
      t(
        'Fresh produce straight from the farms around you. Order from one farm, pick up or have it delivered, and follow it live.',
      ),
  };
}
