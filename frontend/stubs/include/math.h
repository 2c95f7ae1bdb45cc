#ifndef __C2BP_MATH_H
#define __C2BP_MATH_H
#define M_PI 3.14159265358979323846
extern double fabs(double), sqrt(double), floor(double), ceil(double), pow(double, double), fmod(double, double);
extern double sin(double), cos(double), tan(double), asin(double), acos(double), atan(double), atan2(double, double);
extern double exp(double), log(double), log2(double), log10(double), round(double), trunc(double);
extern float fabsf(float), sqrtf(float), floorf(float), ceilf(float), roundf(float);
#endif
