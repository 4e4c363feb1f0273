// Gives access to an operation's complete declaration. Only server files may import this, because browser
// builds leave parts of it out.
import type { Endpoint, ServerSide } from '#kernel/endpoint.ts'
import type { Rules } from './endpoint.ts'
import type { MemberRole } from './role.ts'

/** An operation, including the parts that only the server reads. */
export type Declaration<E extends Endpoint = Endpoint> = E & ServerSide & Rules

/** Returns an operation with its complete declaration. */
export const declarationOf = <E extends Endpoint>(endpoint: E) => endpoint as Declaration<E>

/**
 * True if members with this role may not call the operation. Viewers can't change anything in a workspace,
 * and caregivers can make only the changes declared for them. An operation can also exclude other roles.
 */
export function isClosedTo(endpoint: Declaration, role: MemberRole): boolean {
  const isOfWorkspace =
    Array.isArray(endpoint.access) && endpoint.access.some((one) => one !== 'admin' && one !== 'link')
  const isWrite = endpoint.method !== 'GET' && !endpoint.isOwn
  const isReader = role === 'viewer' || (role === 'caregiver' && !endpoint.isForCaregivers)
  return (isOfWorkspace && isWrite && isReader) || (endpoint.closedTo?.includes(role) ?? false)
}

/** True if whoever has an emailed link may call the operation. */
export function isForLinks({ access }: Declaration): boolean {
  return Array.isArray(access) && access.includes('link')
}

/** True if only whoever has an emailed link may call the operation. */
export function isOnlyForLinks(endpoint: Declaration): boolean {
  return isForLinks(endpoint) && endpoint.access.length === 1
}

/** True if an operation needs a plan once the trial is over. All writes do, except those declared free. */
export function needsPlan(endpoint: Declaration): boolean {
  return (
    endpoint.method !== 'GET' &&
    endpoint.access !== 'anyone' &&
    endpoint.access !== 'signed-in' &&
    !endpoint.isFree &&
    !isOnlyForLinks(endpoint)
  )
}
