// What the service worker calls. It's small because it doesn't load the operations' schemas.

export const PUSH_PATHS = { used: '/api/v1/push/used', renew: '/api/v1/push/renew' } as const
