/** The version of this package. A constant, so that bundles need no manifest; a test compares it with the manifest. */
export const OWN_VERSION = '0.1.0'
