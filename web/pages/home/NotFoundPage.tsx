import { t } from '#contract/platform/text/constants/texts';
import { Drawing } from '../../platform/ui/art/Drawing.tsx';
import { LinkButton } from '../../platform/ui/primitives/Button.tsx';

/** The page for unknown paths. */
export default function NotFoundPage() {
  return (
    <div className="wrap grid justify-items-center gap-4 py-20 text-center">
      <Drawing name="field" className="size-44" />
      <p className="tabular font-display text-4xl font-semibold">404</p>
      <h1 className="max-w-xl text-xl">
        {t("Oops! The page you're looking for seems to have been harvested already.")}
      </h1>
      <LinkButton href="/" className="mt-3">
        {t('Back to Home')}
      </LinkButton>
    </div>
  );
}
