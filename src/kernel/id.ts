/** A random id (UUID version 4). `crypto.randomUUID` isn't available on pages without TLS. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isId(text: string): boolean {
  return UUID.test(text)
}

declare const workspaceId: unique symbol
/**
 * A workspace id that a membership check or a job has read from the database. Nothing else creates one
 * (docs/decisions/0014-workspaces.md).
 */
export type WorkspaceId = string & { readonly [workspaceId]: true }

declare const connectionId: unique symbol
/** The id of the one connection that an admitted emailed link may read. Only admission creates one. */
export type ConnectionId = string & { readonly [connectionId]: true }

/** Whose shared rows a query reads: a workspace's or, for an emailed link, those of its connection. */
export type RecordsId = WorkspaceId | ConnectionId
