/** One function per sentence about a field that is not as it must be. */

export const shouldNotBeEmpty = (field: string): string => `${field} should not be empty`;
export const mustBeString = (field: string): string => `${field} must be a string`;
export const mustBeObject = (field: string): string => `${field} must be an object`;
export const mustBePositive = (field: string): string => `${field} must be a positive number`;
export const mustBeOneOf = (field: string, values: readonly string[]): string =>
  `${field} must be one of the following values: ${values.join(", ")}`;
export const mustBeInteger = (field: string, from: number, to: number): string => `${field} must be an integer from ${from} to ${to}`;
export const mustBeDegrees = (field: string, most: number): string => `${field} must be a number from -${most} to ${most}`;
export const mustBeAtMostBytes = (field: string, most: number): string => `${field} must be at most ${most} bytes`;
export const mustBeAtMostBytesOfJson = (field: string, most: number): string => `${field} must be at most ${most} bytes of JSON`;
export const mustBeAtMostCharacters = (field: string, most: number): string => `${field} must be at most ${most} characters`;
export const mustBeOneLine = (field: string): string => `${field} must be one line without control characters`;
export const isNotKnown = (field: string): string => `${field} is not known`;
export const mustBeTenantName = (field: string): string => `${field} must be 1 to 32 characters of a-z, 0-9 and -`;
export const mustBeEmptyForAdmin = (field: string): string => `${field} should be empty: the role admin belongs to none`;
export const mustBeFuture = (field: string): string => `${field} must be an ISO 8601 instant in the future`;
export const mustBeDatabaseIds = (field: string, most: number): string => `${field} must be 1 to ${most} database ids`;
