// Where push messages may be sent. A subscription's address comes from a browser, so without this rule anyone could
// make the server call any address, such as one in its own network.
import { lookup as resolveName } from 'node:dns/promises'
import { BlockList, isIP, isIPv6 } from 'node:net'

/**
 * The push services of today's browsers, as a host or (with a leading dot) all hosts of a domain. Sources:
 * Chrome, Edge on Android, Samsung, Opera and Brave use Firebase (https://firebase.google.com/docs/cloud-messaging);
 * Firefox its Autopush (https://mozilla-push-service.readthedocs.io); Safari Apple's servers, for which Apple says to
 * allow *.push.apple.com ("Sending web push notifications in web apps and browsers"); and Edge on Windows the WNS,
 * whose addresses are all in notify.windows.com ("How to request, create, and save a notification channel").
 */
const SERVICES = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '.push.services.mozilla.com',
  '.push.apple.com',
  '.notify.windows.com',
]

/** What isn't on the internet: RFC 6890's special-purpose IPv4 networks, multicast and reserved addresses. */
const NOT_PUBLIC = new BlockList()
for (const network of (
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4'
).split(' ')) {
  const [address = '', bits] = network.split('/')
  NOT_PUBLIC.addSubnet(address, Number(bits), 'ipv4')
}
/** Of IPv6, only global unicast is public, without what's for documentation or carries an IPv4 address. */
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')
const NOT_GLOBAL = new BlockList()
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  NOT_GLOBAL.addSubnet(network, bits, 'ipv6')

/** True for addresses that are reached through the internet. */
function isPublicAddress(address: string): boolean {
  if (isIPv6(address)) return GLOBAL.check(address, 'ipv6') && !NOT_GLOBAL.check(address, 'ipv6')
  return isIP(address) === 4 && !NOT_PUBLIC.check(address, 'ipv4')
}

/** Finds all addresses of a name. Tests bring their own. */
type ResolveName = (name: string) => Promise<string[]>

const resolveBySystem: ResolveName = async (name) =>
  (await resolveName(name, { all: true })).map(({ address }) => address)

/** The message can't be sent there, now or later. */
export class ForbiddenAddress extends Error {}

/** Where to connect: the checked addresses of the host; undefined for an origin that the operator listed. */
interface Checked {
  url: URL
  addresses: string[] | undefined
}

export type CheckAddress = (endpoint: string) => Promise<Checked>

/**
 * The rule for the addresses of subscriptions: https on port 443 of a known push service whose addresses are all
 * public, or an origin that the operator listed. Throws ForbiddenAddress, or the error of the name server.
 * @param listed the origins in PUSH_HOSTS
 */
export function pushAddresses(listed: readonly string[], resolve = resolveBySystem): CheckAddress {
  return async (endpoint) => {
    const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
    if (!url || url.username || url.password) throw new ForbiddenAddress('not an address')
    if (listed.includes(url.origin)) return { url, addresses: undefined }
    if (url.protocol !== 'https:' || url.port !== '' || !isService(url.hostname))
      throw new ForbiddenAddress(`${url.origin} is not a known push service`)
    const addresses = await resolve(url.hostname)
    if (addresses.length === 0 || !addresses.every(isPublicAddress))
      throw new ForbiddenAddress(`${url.hostname} is not on the internet`)
    return { url, addresses }
  }
}

function isService(host: string): boolean {
  return SERVICES.some((service) => (service.startsWith('.') ? host.endsWith(service) : host === service))
}
