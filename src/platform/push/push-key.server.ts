// The key that identifies this server to push services (VAPID, RFC 8292), in base64url as they and browsers want it.
import { createECDH } from 'node:crypto'

export interface PushKey {
  publicKey: string
  privateKey: string
}

/** Both halves of a key, from the 32 bytes of its private half. */
export function pushKeyOf(privateKey: Buffer): PushKey {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(privateKey)
  return {
    publicKey: curve.getPublicKey().toString('base64url'),
    privateKey: privateKey.toString('base64url'),
  }
}
