// Payment links: which providers a tutor's links may point to, and how to add the amount due to a link.
import { amountInDigits, type Cents, type Currency, dollars, smallestUnits } from '#kernel/money.ts'

/** Longer than any provider's links. */
export const MAX_LINK = 200

interface Provider {
  name: string
  hosts: readonly string[]
  /** Matches the path of a link. The first group is the payee's name or id with its prefix, if any. */
  path: RegExp
  /** Returns the link in the normalized form that we store. */
  address: (id: string) => string
  example: string
  /**
   * The provider's currency, if it supports only one. An amount due in a different currency isn't added to
   * the link.
   */
  currency?: string
  /** Adds the amount to the link. Omitted for providers where we don't know how to do that. */
  filled?: (address: string, amount: Cents, currency: Currency) => string
  /** Adds a text that both sides see to a link with an amount. Omitted for providers that take none. */
  noted?: (filled: string, text: string) => string
  /**
   * True if the provider's page may have a fixed price or currency. In that case, the payer is asked to check
   * the amount.
   */
  isToBeChecked?: boolean
}

/*
 * | provider | amount in the address        | where the format comes from |
 * | PayPal   | /name/135.00USD              | PayPal's help on PayPal.Me: letters and digits, at most 20; "add /25EUR to your link" |
 * | Venmo    | ?txn=pay&amount=135.00&note= | Venmo's own pay links (venmo.com/name?txn=pay); US dollars only |
 * | Cash App | /$cashtag/135.00             | Cash App's help on $cashtag links; US dollars only |
 * | Revolut  | ?currency=EUR&amount=13500   | what the Revolut app shares for a request; minor units of the currency |
 * | Wise     | none                         | wise.com/pay/me/name and /pay/business/name carry no amount that is documented |
 * | Stripe   | ?__prefilled_amount=13500    | Stripe's payment links where customers choose what to pay; cents, ignored where the price is fixed |
 */
const PROVIDERS: readonly Provider[] = [
  {
    name: 'PayPal',
    hosts: ['paypal.me', 'www.paypal.me'],
    path: /^\/([a-z0-9]{1,20})\/?$/i,
    address: (id) => `https://paypal.me/${id}`,
    example: 'https://paypal.me/yourname',
    filled: (address, amount, currency) => `${address}/${decimal(amount, currency)}${currency}`,
  },
  {
    name: 'PayPal',
    hosts: ['paypal.com', 'www.paypal.com'],
    path: /^\/paypalme\/([a-z0-9]{1,20})\/?$/i,
    address: (id) => `https://paypal.me/${id}`,
    example: 'https://paypal.me/yourname',
    filled: (address, amount, currency) => `${address}/${decimal(amount, currency)}${currency}`,
  },
  {
    name: 'Venmo',
    hosts: ['venmo.com', 'www.venmo.com', 'account.venmo.com'],
    path: /^\/(?:u\/)?@?([a-z0-9_-]{4,30})\/?$/i,
    address: (id) => `https://venmo.com/${id}`,
    example: 'https://venmo.com/yourname',
    currency: 'USD',
    filled: (address, amount, currency) => `${address}?txn=pay&amount=${decimal(amount, currency)}`,
    noted: (filled, text) => `${filled}&note=${encodeURIComponent(text)}`,
  },
  {
    name: 'Cash App',
    hosts: ['cash.app', 'www.cash.app'],
    path: /^\/(\$[a-z][a-z0-9_-]{0,19})\/?$/i,
    address: (id) => `https://cash.app/${id}`,
    example: 'https://cash.app/$yourname',
    currency: 'USD',
    filled: (address, amount, currency) => `${address}/${decimal(amount, currency)}`,
  },
  {
    name: 'Revolut',
    hosts: ['revolut.me', 'www.revolut.me'],
    path: /^\/@?([a-z0-9_.]{3,30})\/?$/i,
    address: (id) => `https://revolut.me/${id}`,
    example: 'https://revolut.me/yourname',
    filled: (address, amount, currency) =>
      `${address}?currency=${currency}&amount=${smallestUnits(amount, currency)}`,
  },
  {
    name: 'Wise',
    hosts: ['wise.com', 'www.wise.com'],
    path: /^\/pay\/((?:me|business)\/@?[a-z0-9_-]{1,60})\/?$/i,
    address: (id) => `https://wise.com/pay/${id}`,
    example: 'https://wise.com/pay/me/yourname',
  },
  {
    name: 'Stripe',
    hosts: ['buy.stripe.com', 'donate.stripe.com'],
    path: /^\/([a-z0-9]{6,60})\/?$/i,
    address: (id) => `https://buy.stripe.com/${id}`,
    example: 'https://buy.stripe.com/aBcD1234',
    filled: (address, amount, currency) => `${address}?__prefilled_amount=${smallestUnits(amount, currency)}`,
    isToBeChecked: true,
  },
]

const NAMES = [...new Set(PROVIDERS.map(({ name }) => name))]
/** The providers' names, for help text and error messages. */
export const PROVIDER_NAMES = `${NAMES.slice(0, -1).join(', ')} or ${NAMES.at(-1)}`

type ReadLink = { ok: true; url: string; provider: Provider; id: string } | { ok: false; message: string }

/**
 * Parses a payment link. It has to use https, point to a supported provider and match that provider's format;
 * otherwise, returns an error message.
 */
export function readLink(text: string): ReadLink {
  const typed = text.trim()
  const no = (message: string): ReadLink => ({ ok: false, message })
  const address = /^[a-z][a-z0-9+.-]*:/i.test(typed) ? typed : `https://${typed}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!typed || typed.length > MAX_LINK || !url || !url.hostname)
    return no(`Enter a payment link such as ${PROVIDERS[0]?.example}`)
  if (url.protocol !== 'https:') return no('A payment link must begin with https://')
  if (url.username || url.password) return no("A payment link can't have an @ before the website's name")
  if (url.port) return no("A payment link can't have a port number")
  const ofHost = PROVIDERS.filter(({ hosts }) => hosts.includes(url.hostname))
  if (ofHost.length === 0) return no(`${url.hostname} is not on the list. Use a link from ${PROVIDER_NAMES}.`)
  for (const provider of ofHost) {
    const id = provider.path.exec(url.pathname)?.[1]
    if (id) return { ok: true, url: keptAddress(provider, url.hostname, id), provider, id }
  }
  return no(`This is not a ${ofHost[0]?.name} payment link such as ${ofHost[0]?.example}`)
}

// Stripe's donation links use a separate host.
function keptAddress(provider: Provider, host: string, id: string): string {
  return host === 'donate.stripe.com' ? `https://${host}/${id}` : provider.address(id.replace('@', ''))
}

/**
 * A stored link with the amount due, if the provider can take an amount in that currency; undefined if the
 * link is no longer allowed.
 */
export function filledLink(
  url: string,
  due: { amount: Cents; currency: Currency; reference?: string | null },
): { href: string; provider: Provider; isFilled: boolean } | undefined {
  const read = readLink(url)
  if (!read.ok) return undefined
  const { provider } = read
  const isFilled =
    provider.filled !== undefined && due.amount > 0 && (provider.currency ?? due.currency) === due.currency
  const filled = isFilled ? provider.filled?.(read.url, due.amount, due.currency) : undefined
  const href = (filled && due.reference && provider.noted?.(filled, due.reference)) || filled || read.url
  return { href, provider, isFilled }
}

/** Formats an amount the way the providers expect it: "135.00", or "135" in a currency without decimals. */
function decimal(amount: Cents, currency: Currency): string {
  return amountInDigits(dollars(amount), currency)
}
