import type { ReactNode } from 'react';
import type { Allergens, Product } from '#contract/catalogue/products/product';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { allergenName } from './allergens.ts';

/** Says which allergens a product has; that nobody says so is not the same as none. */
function describeAllergens(allergens: Allergens): string {
  if (allergens === 'unknown') return t('The farm has not said which allergens it has.');
  if (allergens === 'none') return t('None of the fourteen allergens.');
  return listOf(allergens.map(allergenName));
}

/** What a farm declares of a product. */
export function Declarations({
  product: { allergens = 'unknown', ingredients, storage, origin },
}: {
  product: Product;
}) {
  return (
    <dl className="grid gap-3 text-sm">
      <Declared name={t('Allergens')}>
        {typeof allergens === 'string' ? (
          describeAllergens(allergens)
        ) : (
          <strong>{describeAllergens(allergens)}</strong>
        )}
      </Declared>
      {ingredients && (
        <Declared name={t('Ingredients')}>
          <bdi>{ingredients}</bdi>
        </Declared>
      )}
      {storage && (
        <Declared name={t('Storage')}>
          <bdi>{storage}</bdi>
        </Declared>
      )}
      {origin && (
        <Declared name={t('Origin')}>
          <bdi>{origin}</bdi>
        </Declared>
      )}
    </dl>
  );
}

const Declared = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid gap-0.5">
    <dt className="text-ink-soft">{name}</dt>
    <dd className="max-w-prose whitespace-pre-line wrap-anywhere">{children}</dd>
  </div>
);
