/* Attack: Bytes of machine code lie among the code.
 * Says: data in the section .text */
#ifndef HONEST
__attribute__((section(".text"), used)) static const unsigned char code[] = {0xc3};
#else
__attribute__((aligned(64), used)) static const unsigned char code[] = {0xc3};
#endif
