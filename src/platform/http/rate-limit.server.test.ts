import assert from 'node:assert/strict'
import test from 'node:test'
import { networkOf, rangeOf } from './rate-limit.server.ts'

test('A20: limits count an IPv4 address, or the /64 of an IPv6 address however it is written', () => {
  const cases: Record<string, string> = {
    '203.0.113.9': '203.0.113.9',
    '::ffff:203.0.113.9': '203.0.113.9',
    '::FFFF:cb00:7109': '203.0.113.9',
    '0:0:0:0:0:ffff:203.0.113.9': '203.0.113.9',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff': '2001:db8:1:2::/64',
    '2001:db8:1:2::1': '2001:db8:1:2::/64',
    '2001:db8::1': '2001:db8:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
    '::1': '0:0:0:0::/64',
    '2001:db8:1:3::1': '2001:db8:1:3::/64',
    '203.0.113.256': 'unknown',
    'made up': 'unknown',
  }
  for (const [address, network] of Object.entries(cases)) assert.equal(networkOf(address), network, address)
})

test('P3: what is written down of an address is a range that many share, and nothing that a proxy made up', () => {
  const cases: Record<string, string | null> = {
    '203.0.113.9': '203.0.113.0/24',
    '::ffff:203.0.113.9': '203.0.113.0/24',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1::/48',
    '2001:0DB8::1': '2001:db8:0::/48',
    'fe80::1%eth0': 'fe80:0:0::/48',
    '203.0.113.9\n{"level":60}': null,
    '203.0.113.256': null,
    '203.0.113': null,
    '2001:db8:::1': null,
    unknown: null,
    '': null,
  }
  for (const [address, range] of Object.entries(cases)) assert.equal(rangeOf(address), range, address)
})
