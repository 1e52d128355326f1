import { useEffect, useEffectEvent, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { writeTyped } from '#contract/platform/text/constants/typed-numbers';
import { ApiError, type FieldProblem, isVersionConflict } from '../api/api-error.ts';

/** The values of a form's fields, nested by objects; anything else is one value. */
type Values = Readonly<Record<string, unknown>>;

/** Something that was changed elsewhere while it was edited; the error's `errors` name the fields. */
const CONFLICT = msg(
  'This was changed elsewhere while you were editing. Your entries are still here: look at the marked fields, then save again.',
);

/** Conflicts that a save settles by itself before it gives up: each is a change by somebody else. */
const TRIES_MAX = 5;

/**
 * An edit of something that others may change meanwhile. Each save names the version it was made from.
 * What others changed in other fields is kept. A field that both changed is marked, and the next save
 * settles it.
 */
export class VersionedEdit<Entity extends { version?: number | undefined }, Form extends object> {
  readonly #read: (entity: Entity) => Form;
  /** The values from which a field counts as changed by the person. */
  #base: Form;
  /** The values as they are, as far as is known. */
  #latest: Form;
  #version: number | undefined;

  /** @param read returns the form's values of the entity */
  constructor(entity: Entity, read: (entity: Entity) => Form) {
    this.#read = read;
    this.#base = this.#latest = read(entity);
    this.#version = entity.version;
  }

  /** Takes values that the form follows live: a save replaces them knowingly, and those of a later `version` with it. */
  follow(shown: Partial<Form>, version = this.#version): void {
    this.#base = { ...this.#base, ...shown };
    this.#latest = { ...this.#latest, ...shown };
    this.#version = version;
  }

  /** Takes a later version of the entity, in which the form's values are as before: a save replaces it too. */
  note(now: Entity): void {
    if (isSame(this.#read(now), this.#latest)) this.#version = now.version;
  }

  /**
   * Saves the person's changes over what is there. `send` gets all values, those it was before, and the
   * version that it replaces.
   * @returns the entity as it is then
   * @throws ApiError `VERSION_CONFLICT` with the fields that both changed, and whatever `send` throws
   */
  async save(
    input: Form,
    send: (values: Form, before: Form, expectedVersion: number | undefined) => Promise<Entity>,
  ): Promise<Entity> {
    for (let tries = 1; ; tries++) {
      const values = merge(input, this.#base, this.#latest);
      try {
        const saved = await send(values, this.#latest, this.#version);
        this.#base = this.#latest = this.#read(saved);
        this.#version = saved.version;
        return saved;
      } catch (error) {
        const present = presentOf<Entity>(error);
        if (present === undefined || tries === TRIES_MAX) throw error;
        const [base, latest] = [this.#base, this.#read(present)];
        this.#latest = latest;
        this.#version = present.version;
        const problems = conflictsOf(input, base, latest);
        if (problems.length === 0) continue;
        // The person sees these from now on, so that the next save replaces them.
        this.#base = take(base, latest, new Set(problems.map(({ path }) => path)));
        throw new ApiError(writeMessage(CONFLICT), {
          status: 409,
          code: 'VERSION_CONFLICT',
          errors: problems,
          cause: error,
        });
      }
    }
  }
}

/** Returns the entity that a conflict of versions contains, undefined for any other error. */
const presentOf = <Entity>(error: unknown): Entity | undefined =>
  isVersionConflict(error) ? (error.details as { data?: Entity } | undefined)?.data : undefined;

const isNested = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Calls `choose` for each field of `input` with its path, and returns the chosen values. */
function choose<Form extends object>(
  input: Form,
  others: readonly object[],
  pick: (path: string, own: unknown, others: readonly unknown[]) => unknown,
  prefix = '',
): Form {
  return Object.fromEntries(
    Object.entries(input).map(([name, own]) => {
      const path = `${prefix}${name}`;
      const theirs = others.map((other) => (other as Values)[name]);
      const nested = theirs.every(isNested) ? theirs : undefined;
      return [
        name,
        isNested(own) && nested ? choose(own, nested, pick, `${path}.`) : pick(path, own, theirs),
      ];
    }),
  ) as Form;
}

/** Returns the person's own changes over the latest values. */
const merge = <Form extends object>(input: Form, base: Form, latest: Form): Form =>
  choose(input, [base, latest], (_, own, [before, now]) => (isSame(own, before) ? now : own));

/** Returns the values of `base`, but at these paths those of `latest`. */
const take = <Form extends object>(base: Form, latest: Form, paths: ReadonlySet<string>): Form =>
  choose(base, [latest], (path, before, [now]) => (paths.has(path) ? now : before));

/** Returns the fields that both the person and somebody else changed, to different values. */
function conflictsOf<Form extends object>(input: Form, base: Form, latest: Form): FieldProblem[] {
  const problems: FieldProblem[] = [];
  choose(input, [base, latest], (path, own, [before, now]) => {
    if (isSame(own, before) || isSame(now, before) || isSame(own, now)) return own;
    problems.push({ path, message: messageOf(now) });
    return own;
  });
  return problems;
}

const SHOWN_LENGTH_MAX = 60;
const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Says what a field holds by now, where that is short enough to be read. */
function messageOf(now: unknown): string {
  if (now === '' || now === null) return t('This is empty by now. Save again to keep your entry.');
  if (typeof now === 'number') {
    return t('This is {number} by now. Save again to keep your entry.', {
      number: writeTyped(now),
    });
  }
  if (typeof now === 'string' && now.length <= SHOWN_LENGTH_MAX && !ID.test(now)) {
    return t('This is “{entry}” by now. Save again to keep your entry.', { entry: now });
  }
  return t('This was changed meanwhile. Save again to keep your entry.');
}

/**
 * Returns the edit of something that is shown live: what is changed elsewhere is in the form at once, unless somebody
 * is editing here.
 */
export function useFollowedEdit<
  Entity extends { version?: number | undefined },
  Input extends FieldValues,
  Output,
>(
  form: UseFormReturn<Input, unknown, Output>,
  entity: Entity,
  toInput: (entity: Entity) => Input,
): VersionedEdit<Entity, Input> {
  const [edit] = useState(() => new VersionedEdit(entity, toInput));
  const { isDirty, isSubmitting } = form.formState;
  const follow = useEffectEvent((saved: Entity) => {
    if (isSubmitting) return;
    if (isDirty) return edit.note(saved);
    const shown = toInput(saved);
    edit.follow(shown, saved.version);
    form.reset(shown);
  });
  useEffect(() => follow(entity), [entity]);
  return edit;
}
