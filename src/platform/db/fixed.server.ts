// Queries used on every call. They're built and compiled to SQL once; later calls only bind new values.
import type { CompiledQuery } from 'kysely'
import type { Tx } from './db.server.ts'

/** Stands in for a value while a query is built. */
class Hole {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query whose SQL depends only on which values are present, not on what they are. The first call throws if
 * a value doesn't end up as its own parameter, because that means `build` looked at the value or computed
 * something from it.
 * @param build gets placeholders instead of the values
 */
export function fixed<Values extends object, Row>(
  build: (tx: Tx, values: Values) => CompiledQuery<Row>,
): (tx: Tx, values: Values) => Promise<Row[]> {
  const built = new Map<string, CompiledQuery<Row>>()
  return async (tx, values) => {
    const names = Object.keys(values).filter((name) => values[name as keyof Values] !== undefined)
    const key = names.join()
    const query = built.get(key) ?? checked(build(tx, holesFor(names) as Values), names)
    built.set(key, query)
    const parameters = query.parameters.map((value) =>
      value instanceof Hole ? values[value.name as keyof Values] : value,
    )
    return (await tx.executeQuery<Row>({ ...query, parameters } as CompiledQuery<Row>)).rows
  }
}

const holesFor = (names: string[]) => Object.fromEntries(names.map((name) => [name, new Hole(name)]))

function checked<Row>(query: CompiledQuery<Row>, names: string[]): CompiledQuery<Row> {
  const found = new Set(query.parameters.flatMap((value) => (value instanceof Hole ? [value.name] : [])))
  const lost = names.filter((name) => !found.has(name))
  if (lost.length > 0) throw new Error(`a fixed query computes with ${lost.join(', ')}: ${query.sql}`)
  return query
}
