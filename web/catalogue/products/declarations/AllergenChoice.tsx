import { ALLERGENS, type Allergen } from '#contract/catalogue/products/constants/allergens';
import { Checkbox } from '../../../platform/ui/fields/controls.tsx';
import { allergenName, withAllergen } from './allergens.ts';

/** The fourteen allergens, each to be chosen or not. */
export function AllergenChoice({
  chosen,
  onChange,
  form,
  name,
}: {
  chosen: readonly Allergen[];
  onChange: (chosen: Allergen[]) => void;
  /** The form and the name under which it is sent without scripts. */
  form?: string;
  name?: string;
}) {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-x-4">
      {ALLERGENS.map((allergen) => (
        <Checkbox
          key={allergen}
          form={form}
          name={name}
          value={allergen}
          checked={chosen.includes(allergen)}
          onChange={(event) => onChange(withAllergen(chosen, allergen, event.target.checked))}
          label={allergenName(allergen)}
        />
      ))}
    </div>
  );
}
