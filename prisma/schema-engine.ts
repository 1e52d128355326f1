import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

const SCHEMA_FILE = path.resolve('prisma/schema.prisma');
const MIGRATIONS_DIRECTORY = path.resolve('prisma/migrations');
/** The type's object id, a constant of Postgres. */
const CATALOGUE_CHAR = 18;
const filters = { externalTables: [], externalEnums: [] };

/**
 * Three behaviours of the adapter break the engine and are corrected here: it splits scripts at
 * every semicolon, which cuts function bodies in two; it drops its shadow database while still
 * connected to it, which Postgres refuses; and it does not know the one-byte "char" of Postgres'
 * own catalogue.
 */
class WholeScriptPg extends PrismaPg {
  override async connect() {
    const adapter = await super.connect();
    adapter.executeScript = (script) => runScript(adapter.underlyingDriver(), script);
    return adapter;
  }

  override async connectToShadowDb() {
    const adapter = await super.connectToShadowDb();
    const pool = adapter.underlyingDriver();
    adapter.executeScript = (script) => runScript(pool, script);
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryResult>;
    const catalogueChars = new Set<string>();
    pool.query = (async (...args: unknown[]) => {
      const result = await query(...args);
      for (const field of result.fields ?? []) {
        if (field.dataTypeID !== CATALOGUE_CHAR) continue;
        catalogueChars.add(field.name);
        field.dataTypeID = pg.types.builtins.TEXT;
      }
      return result;
    }) as typeof pool.query;
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (statement) => {
      const result = await queryRaw(statement);
      result.columnTypes = result.columnNames.map((name, index) =>
        catalogueChars.has(name)
          ? ColumnTypeEnum.Character
          : (result.columnTypes[index] ?? ColumnTypeEnum.Text),
      );
      return result;
    };
    adapter.dispose = async () => {
      await pool.end();
      const main = await this.connect();
      await main.executeScript(`DROP DATABASE "${pool.options.database}"`);
      await main.dispose();
    };
    return adapter;
  }
}

async function runScript(pool: pg.Pool, script: string): Promise<void> {
  await pool.query(script);
}

interface WasmExports {
  __wbindgen_start(): void;
}

// Node has WebAssembly, but only the DOM's types declare it, and the server compiles without those.
const wasm = (
  globalThis as unknown as {
    WebAssembly: {
      instantiate(
        code: Uint8Array,
        imports: Record<string, object>,
      ): Promise<{ instance: { exports: WasmExports } }>;
    };
  }
).WebAssembly;

/**
 * Prisma's own schema engine as WebAssembly, against one database. It keeps the same
 * `_prisma_migrations` table as the native engine, whose download many networks do not reach.
 */
export async function openSchemaEngine(connectionString: string) {
  const require = createRequire(import.meta.url);
  const wasmFile = path.join(
    path.dirname(require.resolve('@prisma/schema-engine-wasm')),
    'schema_engine_bg.wasm',
  );
  const { instance } = await wasm.instantiate(await readFile(wasmFile), {
    './schema_engine_bg.js': engineModule,
  });
  const bindings = engineModule as typeof engineModule & {
    __wbg_set_wasm(exports: WasmExports): void;
  };
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();

  const schema = { path: SCHEMA_FILE, content: await readFile(SCHEMA_FILE, 'utf8') };
  // Spelled out, because a connection string would win over the name of the shadow database.
  const { host, port, user, password, database, ssl } = new pg.Client({ connectionString });
  const factory = bindMigrationAwareSqlAdapterFactory(
    new WholeScriptPg({ host, port, user, password, database, ssl }),
  );
  const engine = await engineModule.SchemaEngine.new(
    { datamodels: [[schema.path, schema.content]] },
    () => {},
    factory,
  );
  return {
    /** Applies what is not yet applied, in order. @returns the names of the migrations applied now */
    async applyMigrations(): Promise<string[]> {
      const { appliedMigrationNames } = await engine.applyMigrations({
        migrationsList: await listMigrations(),
        filters,
      });
      return appliedMigrationNames;
    },
    /** The SQL still missing from the migrations for what `schema.prisma` says; a comment alone when they agree. */
    async difference(): Promise<string> {
      const { stdout } = await engine.diff({
        from: { tag: 'migrations', ...(await listMigrations()) },
        to: { tag: 'schemaDatamodel', files: [schema] },
        script: true,
        exitCode: null,
        filters,
      });
      return stdout ?? '';
    },
    close: () => engine.free(),
  };
}

async function listMigrations() {
  const entries = await readdir(MIGRATIONS_DIRECTORY, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  const migrationDirectories = await Promise.all(
    names.map(async (name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: {
          tag: 'ok' as const,
          value: await readFile(path.join(MIGRATIONS_DIRECTORY, name, 'migration.sql'), 'utf8'),
        },
      },
    })),
  );
  return {
    baseDir: MIGRATIONS_DIRECTORY,
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(path.join(MIGRATIONS_DIRECTORY, 'migration_lock.toml'), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories,
  };
}
