import type { Calls } from '#contract/platform/http/constants';
import type {
  SIGN_POSITIONS,
  UnitSystem,
  WEEK_STARTS,
} from '#contract/platform/market/constants/choices';
import { UNITS } from '#contract/platform/quantities/constants/units';

/** The pages that admins can write; `about` takes the place of our own text. */
export const MARKET_PAGES = ['terms', 'privacy', 'help', 'about'] as const;
export type MarketPageSlug = (typeof MARKET_PAGES)[number];

export type AddressPart = 'street' | 'city' | 'state' | 'zipCode';

/** What countries call a part of an address beside the street. */
export type AddressWord =
  | ('city' | 'suburb' | 'regency' | 'town' | 'district')
  | ('state' | 'province' | 'region' | 'county' | 'department' | 'governorate' | 'emirate')
  | ('prefecture' | 'parish' | 'island' | 'area')
  | ('postalCode' | 'postcode' | 'zipCode' | 'pinCode' | 'eircode');

/** How a country writes addresses. */
export interface AddressFormat {
  /** The lines, with the names of all four parts and what stands between them: 'street\ncity, state zipCode'. */
  template: string;
  city: AddressWord;
  /** Null where its addresses have none. */
  state: AddressWord | null;
  zipCode: AddressWord | null;
}

/** What a market announces to everybody. */
export interface Announcement {
  text: string;
  /** ISO instant after which it is no longer shown; null while it is to stay. */
  endsAt: string | null;
  /** ISO instant of the announcement: the same text announced again later is new to anyone who dismissed it. */
  announcedAt: string;
}

/** The settings of a market. */
export interface Market {
  name: string;
  tagline: string;
  /** An address of `/uploads`, or empty. */
  logo: string;
  contact: { address: string; phone: string; email: string };
  currency: {
    /** ISO 4217. */
    code: string;
    sign: string;
    /** Decimals of an amount. */
    decimals: number;
    position: (typeof SIGN_POSITIONS)[number];
  };
  /** BCP 47. */
  locale: string;
  /** IANA name of the time zone by which the market counts its days. */
  timeZone: string;
  weekStart: (typeof WEEK_STARTS)[number];
  /** ISO 3166-1 alpha-2. */
  country: string;
  unitSystem: UnitSystem;
  /** How addresses are written there; follows from the country. */
  addressFormat: AddressFormat;
  /** At least one; the first is the market's own. */
  languages: string[];
  /** The units in which products are offered. */
  units: (typeof UNITS)[number][];
  /** Minutes after which a pending order counts as unanswered. */
  unansweredMinutes: number;
  /** Whether a new farm is a draft until an admin approves it. */
  approvesFarms: boolean;
  /** Whether orders and farms ask for an email address that was verified. */
  requiresVerifiedEmail: boolean;
  /** Whether only farms with an organic certificate that holds can mark products as organic. */
  requiresOrganicCertificate: boolean;
  /** Where the people of the About page have their own pages, in its order; none until an admin fills them in. */
  teamLinks: string[];
  /** The pages that admins wrote. */
  pages: MarketPageSlug[];
  /** The announcement on top of every page, until it ends. */
  announcement: Announcement | null;
  /** Grows with each change. */
  version: number;
}

type AddedLater =
  | ('country' | 'unitSystem' | 'addressFormat' | 'languages' | 'teamLinks')
  | 'requiresOrganicCertificate';
/** Settings as they are sent and kept: a former release, and its events, know nothing of some. */
export type SentMarket = Omit<Market, AddedLater> & Partial<Pick<Market, AddedLater>>;

/** The settings of a market that nobody has changed. */
export const DEFAULT_MARKET: Market = {
  name: 'Farmgate',
  tagline: '',
  logo: '',
  contact: { address: '', phone: '', email: '' },
  currency: { code: 'PKR', sign: '₨', decimals: 2, position: 'before' },
  locale: 'en-US',
  timeZone: 'UTC',
  weekStart: 1,
  country: 'PK',
  unitSystem: 'metric',
  addressFormat: {
    template: 'street\ncity, state zipCode',
    city: 'city',
    state: 'province',
    zipCode: 'postalCode',
  },
  languages: ['en'],
  teamLinks: [],
  units: [...UNITS],
  unansweredMinutes: 30,
  approvesFarms: false,
  requiresVerifiedEmail: false,
  requiresOrganicCertificate: false,
  pages: [],
  announcement: null,
  version: 0,
};

// A process serves one market, and so does a page: its settings are the one thing that everybody may look
// up without being given it. Passing them along would put a parameter on every sentence with a price.
let market = DEFAULT_MARKET;

/** Returns the settings of the market that this process or page belongs to. */
export const theMarket = (): Market => market;

/**
 * Sets them, in the server and the worker from the database, in the client from its server. What a former release left
 * out stays.
 */
export function setMarket(next: SentMarket): void {
  market = { ...market, ...next };
}

/** Returns a function that makes something of the settings once, and again after they changed. */
export function ofMarket<Made>(make: (settings: Market) => Made): () => Made {
  let madeOf: Market | undefined;
  let made: Made;
  return () => {
    if (madeOf !== market) {
      made = make(market);
      madeOf = market;
    }
    return made;
  };
}

export const marketApi = {
  read: { method: 'GET', path: '/market' },
  update: { method: 'PUT', path: '/market' },
} as const satisfies Calls;
