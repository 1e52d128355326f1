import { useEffect, useEffectEvent, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { VersionedEdit } from '../../queries/versioned-edit.ts';

/**
 * Returns the edit of something that is shown live: what is changed elsewhere is in the form at once, unless somebody is
 * editing here.
 */
export function useFollowedEdit<
  Entity extends { version: number },
  Input extends FieldValues,
  Output,
>(
  form: UseFormReturn<Input, unknown, Output>,
  entity: Entity,
  toInput: (entity: Entity) => Input,
): VersionedEdit<Entity, Input> {
  const [edit] = useState(() => new VersionedEdit(entity, toInput, ({ version }) => version));
  const { isDirty, isSubmitting } = form.formState;
  const follow = useEffectEvent((saved: Entity) => {
    if (isDirty || isSubmitting) return;
    const shown = toInput(saved);
    edit.follow(shown);
    form.reset(shown);
  });
  useEffect(() => follow(entity), [entity]);
  return edit;
}
