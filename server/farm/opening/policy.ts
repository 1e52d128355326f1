import { OPENING_STEPS, type OpeningStep } from '#contract/farm/opening/constants';
import { presentOpenings } from '../farmers/present.ts';

/** What the steps of a farm follow from. */
export interface OpeningRow {
  farmName: string;
  description: string;
  city: string;
  /** JSON, as it is. */
  businessHours: unknown;
  hasSlots: boolean;
  hasProduct: boolean;
  /** Whether an owner of it has proved their email. */
  hasVerifiedOwner: boolean;
}

/** What a market asks for that others do not. */
export interface OpeningTerms {
  requiresVerifiedEmail: boolean;
}

const IS_DONE: Record<OpeningStep, (farm: OpeningRow) => boolean> = {
  email: ({ hasVerifiedOwner }) => hasVerifiedOwner,
  profile: ({ farmName, description }) => farmName !== '' && description !== '',
  // A town is enough: some farms have no street to name, others do not want theirs public.
  address: ({ city }) => city !== '',
  // The hours of its pickup places are hours too.
  hours: ({ businessHours, hasSlots }) => hasSlots || presentOpenings(businessHours).length > 0,
  product: ({ hasProduct }) => hasProduct,
};

/** Returns every step of a farm's way into the market, with whether it is done. */
export const openingStepsOf = (
  farm: OpeningRow,
  { requiresVerifiedEmail }: OpeningTerms,
): { step: OpeningStep; isDone: boolean }[] =>
  OPENING_STEPS.filter((step) => step !== 'email' || requiresVerifiedEmail).map((step) => ({
    step,
    isDone: IS_DONE[step](farm),
  }));

/** Returns whether nothing is missing. */
export const isReady = (farm: OpeningRow, terms: OpeningTerms): boolean =>
  openingStepsOf(farm, terms).every(({ isDone }) => isDone);
