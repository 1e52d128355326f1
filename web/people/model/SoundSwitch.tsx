import { useAtom } from 'jotai';
import { theMarket } from '#contract/platform/market/constants';
import { t } from '#contract/platform/text/constants/texts';
import { soundAtom } from '../../platform/ui/feedback/sound.ts';
import { Checkbox } from '../../platform/ui/fields/controls.tsx';

/** Says whether this browser rings for new orders. */
export function SoundSwitch() {
  const [isOn, setOn] = useAtom(soundAtom);
  return (
    <Checkbox
      label={<span className="font-medium">{t('Ring for new orders')}</span>}
      hint={t(
        'While {market} is open in a tab, a bell rings until somebody says "I\'m on it" or answers.',
        { market: theMarket().name },
      )}
      // Aligns the checkbox with the label, not with the middle of label and hint.
      className="pointer-coarse:items-start"
      checked={isOn}
      onChange={(event) => setOn(event.target.checked)}
    />
  );
}
