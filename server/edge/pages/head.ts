import { MARKET_PAGE_NAMES } from '#contract/admin/market-pages/constants';
import type { MarketPage } from '#contract/admin/market-pages/market-pages';
import type { Category } from '#contract/catalogue/categories/categories';
import type { Product } from '#contract/catalogue/products/product';
import { MISSING } from '#contract/edge/constants';
import { farmNameOf, WEEKDAYS } from '#contract/farm/farmers/constants';
import type { FarmerDetail } from '#contract/farm/farmers/farmers';
import { MARKET_PAGES, theMarket } from '#contract/platform/market/constants';
import { formatMoney } from '#contract/platform/money/constants';
import { isSoldOut } from '#contract/platform/quantities/constants/steps';
import { formatTown } from '#contract/platform/text/constants/addresses';
import type { PageAddress } from './addresses.ts';

/** What the head of a page says of it. */
export interface Head {
  /** As the client sets it. */
  title: string;
  /** What a card of the page is called. */
  shareTitle: string;
  description: string;
  /** The address that all spellings of it stand for. */
  canonical: string;
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

/** Returns what the head says of a page. `publicUrl` is the address of the site, without a slash at its end. */
export function headOf(address: PageAddress, data: PageData, publicUrl: string): Head {
  const at = (path: string) => publicUrl + path;
  const site = {
    title: siteOf().name,
    shareTitle: siteOf().name,
    description: siteOf().description,
    canonical: at(address.path),
    image: { url: at(cardPathOf('market')), ...CARD, alt: siteOf().name },
    kind: 'website' as const,
    isIndexed: true,
    structured: [],
  } satisfies Head;
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
        ...titled('About'),
        description: data.text
          ? shortened(data.text.body)
          : 'A market without a middle: the people who grow food, and the people who eat it.',
      };
    case '/terms':
    case '/privacy':
    case '/help':
      if (!data.text) return { ...site, ...titled(textName(address.route)), isIndexed: false };
      return { ...site, ...titled(data.text.title), description: shortened(data.text.body) };
    case '/products':
      return productsHead(address, data, site, titled, at);
    case '/products/:id':
      if (!data.product) return { ...site, ...titled('Product'), isIndexed: false };
      return productHead(data.product, { site, titled, at, breadcrumbs });
    case '/farmers': {
      const params = new URLSearchParams(address.search);
      return {
        ...site,
        ...titled('Farmers'),
        description:
          'The people who grow what you eat: the farms of the market, with their produce, hours and places.',
        canonical: at(`/farmers${pick(params, ['cursor'])}`),
        isIndexed: !params.has('search'),
      };
    }
    case MISSING:
      return { ...site, ...titled('Page not found'), isIndexed: false };
    default:
      if (!data.farm) return { ...site, ...titled('Farmer'), isIndexed: false };
      return farmHead(data.farm, { site, titled, at, breadcrumbs });
  }
}

/** What a text of the market is called before its title is known. */
const textName = (route: string): string =>
  MARKET_PAGE_NAMES[MARKET_PAGES.find((slug) => `/${slug}` === route) ?? 'help'];

interface Tools {
  site: Head;
  titled: (title: string) => { title: string; shareTitle: string };
  at: (path: string) => string;
  breadcrumbs: (...steps: [name: string, path: string][]) => object;
}

/** A category and a further page have addresses of their own; a search, other filters and sorts have not. */
function productsHead(
  { search }: PageAddress,
  { categories }: PageData,
  site: Head,
  titled: Tools['titled'],
  at: Tools['at'],
): Head {
  const params = new URLSearchParams(search);
  const category = categories?.find(({ _id }) => _id === params.get('category')?.toLowerCase());
  if (category) params.set('category', category._id);
  const isNarrowed = [...params.keys()].some(
    (name) => !['category', 'sort', 'filters', 'cursor'].includes(name),
  );
  return {
    ...site,
    ...titled('Products'),
    ...(category && { shareTitle: category.name }),
    description: category?.description
      ? shortened(`${category.name}: ${category.description}`)
      : 'What the farms around you have on their stalls right now, at the price the farmer set.',
    canonical: at(`/products${pick(params, [...(category ? ['category'] : []), 'cursor'])}`),
    isIndexed: !isNarrowed && (category !== undefined || !params.has('category')),
  };
}

function productHead(product: Product, { site, titled, at, breadcrumbs }: Tools): Head {
  const farm = farmNameOf(product.farmer);
  const price = `${formatMoney(product.price)} per ${product.unit}`;
  const path = `/products/${product._id}`;
  const description = shortened(`${price} from ${farm}. ${product.description}`);
  return {
    ...site,
    ...titled(product.name),
    shareTitle: `${product.name}, ${price}`,
    description,
    image: {
      url: at(cardPathOf('product', product)),
      ...CARD,
      alt: `${product.name} from ${farm}, ${price}`,
    },
    kind: 'product',
    structured: [
      {
        '@type': 'Product',
        name: product.name,
        description: product.description,
        url: at(path),
        ...(product.images.length > 0 && {
          image: product.images.map((image) => new URL(image, at('/')).href),
        }),
        ...(product.category && { category: product.category.name }),
        brand: { '@type': 'Brand', name: farm },
        offers: {
          '@type': 'Offer',
          url: at(path),
          price: product.price.toFixed(siteOf().decimals),
          priceCurrency: siteOf().currency,
          availability: `https://schema.org/${isSoldOut(product) ? 'OutOfStock' : 'InStock'}`,
          ...(product.availableUntil && { priceValidUntil: product.availableUntil }),
          seller: {
            '@type': 'Organization',
            name: farm,
            url: at(`/farmers/${product.farmer._id}`),
          },
        },
      },
      breadcrumbs(
        ['Products', '/products'],
        ...(product.category
          ? [
              [product.category.name, `/products?category=${product.category._id}`] as [
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
  { farmer, profile }: FarmerDetail,
  { site, titled, at, breadcrumbs }: Tools,
): Head {
  const name = farmNameOf({ farmName: profile.farmName, name: farmer.name });
  const path = `/farmers/${farmer._id}`;
  const { street, city, state, zipCode } = farmer.address;
  const place = formatTown(farmer.address);
  const picture = profile.cover ?? profile.photo;
  const links = Object.values(profile.socialMedia).filter(Boolean);
  return {
    ...site,
    ...titled(name),
    shareTitle: place ? `${name}, ${place}` : name,
    description: shortened(profile.description || `${name} sells its produce on ${siteOf().name}.`),
    image: {
      url: at(cardPathOf('farm', { _id: farmer._id, version: profile.version })),
      ...CARD,
      alt: place ? `${name} in ${place}` : name,
    },
    kind: 'profile',
    structured: [
      {
        '@type': 'LocalBusiness',
        name,
        url: at(path),
        ...(profile.description && { description: profile.description }),
        ...(picture && { image: new URL(picture, at('/')).href }),
        ...(farmer.phone && { telephone: farmer.phone }),
        ...(farmer.email && { email: farmer.email }),
        ...(profile.establishedYear !== null && { foundingDate: String(profile.establishedYear) }),
        ...(place && {
          address: {
            '@type': 'PostalAddress',
            streetAddress: street,
            addressLocality: city,
            addressRegion: state,
            postalCode: zipCode,
            addressCountry: theMarket().country,
          },
        }),
        ...(links.length > 0 && { sameAs: links }),
        openingHoursSpecification: WEEKDAYS.flatMap((day) => {
          const { open, close } = profile.businessHours[day];
          if (open === '' || close === '') return [];
          const dayOfWeek = day.charAt(0).toUpperCase() + day.slice(1);
          return [{ '@type': 'OpeningHoursSpecification', dayOfWeek, opens: open, closes: close }];
        }),
      },
      breadcrumbs(['Farmers', '/farmers'], [name, path]),
    ],
  };
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
  const { name, tagline, locale, currency } = theMarket();
  return {
    name,
    /** What stands before any page of it in a search result. */
    description:
      tagline ||
      'Fresh produce straight from the farms around you. Order from one farm, pick up or have it delivered, and follow it live.',
    locale: locale.replace('-', '_'),
    /** ISO 4217: search engines read no signs. */
    currency: currency.code,
    /** Decimals of a price. */
    decimals: currency.decimals,
  };
}
