import { ALLERGENS, type Allergen } from '#contract/catalogue/products/constants/allergens';
import { type Message, msg, writeMessage } from '#contract/platform/text/constants/texts';

/** What the fourteen allergens are called, on a label as among filters. */
const ALLERGEN_LABELS: Record<Allergen, Message> = {
  gluten: msg('allergen|gluten'),
  crustaceans: msg('allergen|crustaceans'),
  eggs: msg('allergen|eggs'),
  fish: msg('allergen|fish'),
  peanuts: msg('allergen|peanuts'),
  soy: msg('allergen|soy'),
  milk: msg('allergen|milk'),
  nuts: msg('allergen|nuts'),
  celery: msg('allergen|celery'),
  mustard: msg('allergen|mustard'),
  sesame: msg('allergen|sesame'),
  sulphites: msg('allergen|sulphites'),
  lupin: msg('allergen|lupin'),
  molluscs: msg('allergen|molluscs'),
};

/** Returns what an allergen is called. */
export const allergenName = (allergen: Allergen): string => writeMessage(ALLERGEN_LABELS[allergen]);

/** Returns the allergens of a list with commas between them, in the order of all; unknown names are left out. */
export const allergensIn = (list: string): Allergen[] =>
  ALLERGENS.filter((allergen) => list.split(',').includes(allergen));

/** Returns a list of allergens with one of them put in or taken out. */
export const withAllergen = (
  allergens: readonly Allergen[],
  changed: Allergen,
  isIn: boolean,
): Allergen[] => ALLERGENS.filter((each) => (each === changed ? isIn : allergens.includes(each)));
