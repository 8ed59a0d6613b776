/** The version of the package, put in by the bundler; what runs from source says so. */
declare const EUFORIA_VERSION: string | undefined;

export const version = typeof EUFORIA_VERSION === 'string' ? EUFORIA_VERSION : 'from source';
