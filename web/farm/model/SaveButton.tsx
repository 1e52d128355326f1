import { t } from '#contract/platform/text/constants/texts';
import { Button } from '../../platform/ui/primitives/Button.tsx';

interface Props {
  /** Whether the member's role includes changing what the form holds. */
  mayChange: boolean;
  isSaving: boolean;
}

/** Saves a form of the farm; says why where somebody may only read it. */
export function SaveButton({ mayChange, isSaving }: Props) {
  if (!mayChange) {
    return (
      <p className="text-sm text-ink-soft">
        {t('Your role on this farm does not include changing it.')}
      </p>
    );
  }
  return (
    <Button
      type="submit"
      className="justify-self-start"
      pending={isSaving}
      pendingLabel={t('Saving...')}
    >
      {t('Save')}
    </Button>
  );
}
