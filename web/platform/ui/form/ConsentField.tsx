import { type FieldPath, type FieldValues, get } from 'react-hook-form';
import { useMarket } from '../../format/market.ts';
import { Checkbox } from '../fields/controls.tsx';
import type { AppForm } from './form.tsx';

/**
 * Asks anyone who opens an account to agree to the terms, where the market has terms. The form's field is
 * `acceptsTerms`, false at first.
 */
export function ConsentField<Input extends FieldValues, Output>({
  form,
}: {
  form: AppForm<Input, Output>;
}) {
  const { pages } = useMarket();
  if (!pages.includes('terms')) return null;
  const error: { message?: string } | undefined = get(form.formState.errors, 'acceptsTerms');
  return (
    <div>
      <Checkbox
        {...form.register('acceptsTerms' as FieldPath<Input>)}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'consent-error' : undefined}
        label={
          <>
            I agree to the <NewTabLink href="/terms">terms</NewTabLink>
            {pages.includes('privacy') && (
              <>
                {' '}
                and have read how the market handles{' '}
                <NewTabLink href="/privacy">my data</NewTabLink>
              </>
            )}
          </>
        }
      />
      {error && (
        <p id="consent-error" className="text-sm text-tomato">
          {error.message}
        </p>
      )}
    </div>
  );
}

/** In a tab of its own, so that what was typed stays. */
function NewTabLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className="link">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
