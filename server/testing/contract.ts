import { readdirSync } from 'node:fs';

const FOLDER = new URL('../../contract/', import.meta.url);

export interface ContractModule {
  file: string;
  exports: Record<string, unknown>;
}

const load = async (folder: URL): Promise<ContractModule[]> => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  return Promise.all(
    files.map(async (file) => ({ file, exports: await import(new URL(file, folder).pathname) })),
  );
};

/** Every file of the contract with schemas, found in its folder. */
export const contractModules = () => load(FOLDER);

/** Every file of the contract's constants, found in its folder. */
export const contractConstants = () => load(new URL('constants/', FOLDER));
