import { readdirSync } from 'node:fs';

/** Where it lies. */
export const CONTRACT = new URL('../../../contract/', import.meta.url);

export interface ContractModule {
  /** Its path within the contract. */
  file: string;
  exports: Record<string, unknown>;
}

/** A file of constants lies in a folder of them, or is one by its name. */
const IS_CONSTANTS = /(^|\/)constants(\/|\.ts$)/;

const load = (isOfConstants: boolean): Promise<ContractModule[]> =>
  Promise.all(
    readdirSync(CONTRACT, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && IS_CONSTANTS.test(file) === isOfConstants)
      .map(async (file) => ({ file, exports: await import(new URL(file, CONTRACT).pathname) })),
  );

/** Every file of the contract with schemas, found in its folder. */
export const contractModules = () => load(false);

/** Every file of the contract's constants, found in its folder. */
export const contractConstants = () => load(true);
